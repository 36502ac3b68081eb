import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { sample } from '#test/support/sampling.ts';
import { isYamlPath, yaml } from './index.ts';

beforeAll(() => yaml.prepare());

const duplicates = (...lines: string[]) => yaml.extract(lines.join('\n')).duplicateKeys;

describe('a YAML file', () => {
  test('reports keys that occur twice in one mapping', () => {
    expect(duplicates('jobs:', '  test:', '    steps: []', '  lint: {}', '  test:', '    steps: []')).toEqual(
      [{ key: 'jobs.test', lines: [2, 5] }],
    );
  });

  test('also in flow style and below sequences', () => {
    expect(duplicates('a:', '  - b: { c: 1, c: 2 }')).toEqual([{ key: 'a.0.b.c', lines: [2, 2] }]);
  });

  test('reads every document separately', () => {
    expect(duplicates('a: 1', '---', 'a: 1', '---', 'b: 1', 'b: 2')).toEqual([{ key: 'b', lines: [5, 6] }]);
  });

  test('treats a quoted key as the same key', () => {
    expect(duplicates('a: 1', '"a": 2')).toEqual([{ key: 'a', lines: [1, 2] }]);
  });

  test('distinguishes numbers from text', () => {
    expect(duplicates('1: a', '"1": b')).toEqual([]);
  });

  test.each([
    ['merge keys', 'x: &x {a: 1}\ny:\n  <<: *x\n  <<: *x\n  a: 2'],
    ['anchors and aliases', 'a: &a [1]\nb: *a\nc: *a'],
    ['tags', 'a: !Ref x\nb: !!custom {c: 1}\nd: !Sub "x"'],
    ['alias keys', 'a: &a x\n*a : 1'],
    ['complex keys', '? [a, b]\n: 1\n? {c: d}\n: 2'],
    ['several documents', '%YAML 1.2\n---\na: 1\n...\n---\nb: 2'],
    ['block text', 'a: |\n  b: 1\n  b: 2\nc: >-\n  d\n  d'],
    ['nothing', ''],
    ['comments alone', '# a\n# b\n'],
    ['CRLF', 'a: 1\r\nb:\r\n  - 2\r\n'],
    ['a byte order mark', '\ufeffa: 1\n'],
  ])('may have %s', (_, text) => {
    expect(yaml.extract(text)).toMatchObject({ syntaxError: null, duplicateKeys: [], module: 'data' });
  });

  test('does not unfold aliases', () => {
    const laughs = Array.from(
      { length: 40 },
      (_, n) => `l${n + 1}: &l${n + 1} [${Array(9).fill(`*l${n}`).join(', ')}]`,
    );
    expect(duplicates('l0: &l0 ha', ...laughs)).toEqual([]);
  });

  test.each([
    ['a tab for indentation', 'a:\n\tb: 1', 2],
    ['bad indentation', 'a:\n    b: 1\n  c: 2', 3],
    ['an open bracket', 'a: [1, 2', 1],
    ['a conflict marker', 'a: 1\n<<<<<<< HEAD\nb: 2', 2],
    ['a template', 'a: {{ .Values.x }}-b\nc: 1', 1],
  ])('is broken by %s', (_, text, line) => {
    expect(yaml.extract(text).syntaxError).toMatchObject({ line });
  });

  test.each([
    ['flow sequences', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['flow mappings', '{a: '.repeat(20_000)],
    ['sequences in one line', `${'- '.repeat(20_000)}a`],
    ['blocks', Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('with too deep %s is reported', (_, text) => {
    expect(yaml.extract(text).syntaxError?.message).toBe('nested too deeply');
  });

  test('may be large', { timeout: 120_000 }, () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, n) => `package-${n}:\n  version: 1.0.${n}\n  deps: [a, b]`,
    );
    expect(duplicates(...rows, 'package-7: again')).toEqual([{ key: 'package-7', lines: [22, 60_001] }]);
  });
});

describe('paths of YAML files', () => {
  test('end in .yaml or .yml', () => {
    expect(['a.yaml', '.github/workflows/ci.yml', 'A.YML', 'yaml', 'a.yaml.bak'].map(isYamlPath)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('any text', () => {
  test('gives the same facts twice and never throws', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      ': ',
      '- ',
      '? ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '|',
      '>',
      '&x ',
      '*x',
      '!t ',
      '<<',
      '---',
      '...',
      '#',
      '%',
      '\n',
      '\n  ',
      '\t',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          expect(yaml.extract(text)).toEqual(yaml.extract(text));
        },
      ),
      sample('fuzzed YAML', { normal: 60, soak: 2000 }),
    );
  });

  test('finds no duplicate and no error in what a YAML writer writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), (value) => {
        expect(yaml.extract(stringify(value))).toMatchObject({ syntaxError: null, duplicateKeys: [] });
      }),
      sample('YAML with known duplicates', { normal: 60, soak: 2000 }),
    );
  });
});
