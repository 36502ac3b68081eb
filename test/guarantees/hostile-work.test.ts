import { describe, expect, test } from 'vitest';
import { groundedValues } from '#test/support/grounded.ts';
import { sample } from '#test/support/sampling.ts';

const { numRuns: size } = sample('characters of hostile work', {
  normal: 80_000,
  wide: 250_000,
  soak: 250_000,
});
/** Nine files of 250 kB each, on a machine that may be slow and busy. */
const mostSeconds = 20 * (size / 250_000);
const many = (piece: string) => piece.repeat(Math.ceil(size / piece.length));

/** Text that a careless pattern would process for hours. */
const texts: Readonly<Record<string, string>> = {
  brackets: many('('),
  'calls that never close': many('expect('),
  'tests that never close': many("test('a', () => {"),
  'tests in tests': `${many("test('a', () => { ").slice(0, size / 5)}${'});'.repeat(size / 90)}`,
  'many tests': many("test('a', () => { expect(1 + 1).toBe(2); });\n"),
  dots: many('a.'),
  'words of tests': many('it.'),
  returns: many(';return;'),
  tries: many('try{expect(a).toBe(1)}catch{'),
  'conditions in a row': many('if (a) '),
  'conditions that never close': many('if ('),
  'conditions that never hold': many('if (false) '),
  'functions of functions': `function f() { test('a', () => {}); }\n${many('a => ')}`,
  quotes: many('"\''),
  templates: many('`${'),
  comments: many('/* '),
  blanks: `it${' '.repeat(size)}`,
  one_word: many('secret'),
  'one long line': many('abcdefghij0123456789'),
  urls: many('a.b-c+'),
  'urls without an end': many('http://a:'),
  'python definitions': many('def test_a():\n'),
  'python brackets': many('assert (\n'),
  'python tries': many('try:\n assert a == 1\nexcept:\n pass\n'),
  'go tests': many('func TestA(t *testing.T) {\n'),
  'rust attributes': many('#[test]\n'),
  'java tests': many('@Test '),
  headings: many('## Quality Gates\n- test: `a`\n'),
};
const paths = [
  'src/a.test.ts',
  'tests/test_a.py',
  'a_test.go',
  'src/a.rs',
  'ATest.java',
  'a_spec.rb',
  'AGENTS.md',
  'package.json',
  '.env',
];

describe('work built to keep the checks busy', () => {
  test.each(Object.keys(texts))('is judged in time: %s', (name) => {
    const text = texts[name] ?? '';
    const began = process.cpuUsage();
    for (const path of paths) {
      const result = groundedValues({ [path]: text }, { [path]: `${text}\n${text.slice(0, 100)}x` });
      expect(result.checks.length).toBeGreaterThan(0);
    }
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(mostSeconds);
  });
});
