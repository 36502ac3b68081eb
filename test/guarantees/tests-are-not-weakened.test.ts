import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingsOf, groundedValues } from '#test/support/grounded.ts';
import { sample } from '../support/sampling.ts';

/** A language in which random tests are written, weakened and equivalently rewritten. */
interface Dialect {
  readonly path: string;
  write(tests: readonly Case[]): string;
}

interface Case {
  readonly title: string;
  readonly asserts: readonly string[];
  readonly head?: string;
}

const javascript: Dialect = {
  path: 'src/thing.test.ts',
  write: (tests) =>
    `import { expect, test } from 'vitest';\n\n${tests
      .map(
        ({ title, asserts, head = 'test' }) =>
          `${head}('${title}', () => {\n${asserts.map((text) => `  ${text};\n`).join('')}});\n`,
      )
      .join('\n')}`,
};
const python: Dialect = {
  path: 'test_thing.py',
  write: (tests) =>
    `import pytest\n\n\n${tests
      .map(
        ({ title, asserts, head = '' }) =>
          `${head}def test_${title.replaceAll(' ', '_')}():\n${asserts.map((text) => `    ${text}\n`).join('')}`,
      )
      .join('\n\n')}`,
};

const word = fc.constantFrom('sum', 'user', 'total', 'name', 'list', 'path', "it's");
const value = fc.constantFrom('1', '2', '"a"', "'b'", 'null', '[1, 2]', '{ a: 1 }');

function casesOf(assertion: fc.Arbitrary<string>): fc.Arbitrary<Case[]> {
  const asserts = fc.uniqueArray(assertion, { minLength: 1, maxLength: 4 });
  return fc
    .array(asserts, { minLength: 1, maxLength: 5 })
    .map((all) => all.map((each, index) => ({ title: `does thing ${index}`, asserts: each })));
}

const scripts = casesOf(
  fc
    .tuple(word, fc.nat(99), value)
    .map(([name, n, expected]) => `expect(run(${JSON.stringify(name)}, ${n})).toEqual(${expected})`),
);
const pythons = casesOf(
  fc
    .tuple(word, fc.nat(99), fc.constantFrom('1', '"a"', '[1, 2]', 'None'))
    .map(([name, n, expected]) => `assert run(${JSON.stringify(name)}, ${n}) == ${expected}`),
);

type Change = (tests: readonly Case[], at: number) => readonly Case[];

function changed(tests: readonly Case[], at: number, change: (test: Case) => Case): Case[] {
  return tests.map((each, index) => (index === at ? change(each) : each));
}

function firstAssertion(change: (text: string) => string): Change {
  return (tests, at) =>
    changed(tests, at, (each) => ({
      ...each,
      asserts: each.asserts.map((text, index) => (index === 0 ? change(text) : text)),
    }));
}

const weaken: Readonly<Record<string, Change>> = {
  'a test deleted': (tests, at) => tests.filter((_, index) => index !== at),
  'an assertion removed': (tests, at) =>
    changed(tests, at, (each) => ({ ...each, asserts: ['run()', ...each.asserts.slice(1)] })),
};
const weakenScript: Readonly<Record<string, Change>> = {
  ...weaken,
  skip: (tests, at) => changed(tests, at, (each) => ({ ...each, head: 'test.skip' })),
  only: (tests, at) => changed(tests, at, (each) => ({ ...each, head: 'test.only' })),
  defined: firstAssertion((text) => text.replace(/\.toEqual\(.*\)$/s, '.toBeDefined()')),
  'not null': firstAssertion((text) => text.replace(/\.toEqual\(.*\)$/s, '.not.toBeNull()')),
  comment: firstAssertion((text) => `// ${text}`),
  'no matcher': firstAssertion((text) => text.replace(/\.toEqual\(.*\)$/s, '')),
};
const weakenPython: Readonly<Record<string, Change>> = {
  ...weaken,
  skip: (tests, at) => changed(tests, at, (each) => ({ ...each, head: '@pytest.mark.skip\n' })),
  bare: firstAssertion((text) => text.replace(/ == .*$/, '')),
  'or true': firstAssertion((text) => `${text} or True`),
  comment: firstAssertion((text) => `pass  # ${text}`),
};

const harmless: Readonly<Record<string, Change>> = {
  nothing: (tests) => tests,
  reversed: (tests) => tests.toReversed(),
  'a new test': (tests) => [...tests, { title: 'does more', asserts: [...(tests[0]?.asserts ?? [])] }],
  'a stronger test': (tests, at) =>
    changed(tests, at, (each) => ({
      ...each,
      asserts: [...each.asserts, ...each.asserts.map((text) => text.replace('run(', 'run_again('))],
    })),
  'a better title': (tests, at) => changed(tests, at, (each) => ({ ...each, title: `really ${each.title}` })),
};

function blocking(dialect: Dialect, before: readonly Case[], after: readonly Case[]): string[] {
  const result = groundedValues(
    { [dialect.path]: dialect.write(before) },
    { [dialect.path]: dialect.write(after) },
  );
  return findingsOf(result, 'gate-tampering')
    .filter(({ severity }) => severity === 'blocking')
    .map(({ message }) => message);
}

describe.each([
  ['JavaScript', javascript, scripts, weakenScript],
  ['Python', python, pythons, weakenPython],
] as const)('tests in %s', (language, dialect, tests, weakenings) => {
  test.each(Object.keys(weakenings))('that check less are reported: %s', (name) => {
    const change = weakenings[name] as Change;
    fc.assert(
      fc.property(tests, fc.nat(4), (before, n) => {
        const after = change(before, n % before.length);
        expect(blocking(dialect, before, after), dialect.write(after)).not.toEqual([]);
      }),
      sample(`${language}: ${name} is found`, { normal: 20, soak: 3000 }),
    );
  });

  test.each(Object.keys(harmless))('that check as much are not: %s', (name) => {
    const change = harmless[name] as Change;
    fc.assert(
      fc.property(tests, fc.nat(4), (before, n) => {
        const after = change(before, n % before.length);
        expect(blocking(dialect, before, after), dialect.write(after)).toEqual([]);
      }),
      sample(`${language}: ${name} is harmless`, { normal: 20, soak: 3000 }),
    );
  });
});
