import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type MutableLanguage, mutableLanguageOf, mutantsOf } from './mutants-of.ts';

async function changes(text: string, language: MutableLanguage, lines?: readonly number[]) {
  const all = text.split('\n').map((_, index) => index + 1);
  const mutants = await mutantsOf(text, language, new Set(lines ?? all), 100);
  return mutants.map(({ line, was, becomes }) => `${line}: ${was} → ${becomes}`);
}

test.each<[string, MutableLanguage, string, readonly string[]]>([
  ['a comparison', 'ts', 'ok(a < b);', ['1: ok(a < b) → undefined', '1: < → <=']],
  ['an equality', 'ts', 'x = (a) /* < */ === (b);', ['1: === → !==']],
  ['a boolean operator', 'js', 'x = a && b || c ?? d;'.replace(' ?? d', ''), ['1: && → ||', '1: || → &&']],
  ['a default', 'ts', 'x = a! ?? b;', ['1: ?? → &&']],
  ['arithmetic', 'ts', 'x = a! + b;\nx -= c;\nx++;', ['1: + → -', '2: -= → +=', '3: x++ → x--']],
  [
    'constants',
    'ts',
    "x = [0, 1.5, 'a', '', true];",
    ['1: 0 → 1', '1: 1.5 → 2.5', "1: 'a' → ''", "1: '' → 'mutant'", '1: true → false'],
  ],
  [
    'a returned value',
    'ts',
    'function f() {\n  return a;\n}\nconst g = () => b;',
    ['2: a → undefined', '4: b → undefined'],
  ],
  [
    'a condition',
    'ts',
    'if (a) b = c;\nx = d ? e : f;\nif (!a) b = c;',
    ['1: a → !(a)', '2: d → !(d)', '3: !a → !!(a)'],
  ],
  ['a loop', 'js', 'while (a) b = c;\nfor (;d;) b = c;', ['1: a → false', '2: d → false']],
  ['an error', 'ts', 'function f() {\n  throw error;\n}', ['2: throw error; → ;']],
  ['a removed call', 'ts', 'async function f() {\n  await save(a);\n}', ['2: await save(a) → undefined']],
  ['tags', 'tsx', 'x = <p a={b > c}>text</p>;', ['1: > → >=']],
  [
    'no types, keys, imports or directives',
    'ts',
    "'use strict';\nimport a from 'b';\ntype T = 'c' | 1;\nlet x: true = { 'd': y } as 1;\nclass A extends B { constructor() { super(); } }",
    [],
  ],
  ['a comparison', 'python', 'x = a < b <= c', ['1: < → <=', '1: <= → <']],
  ['membership', 'python', 'x = a not in b\ny = a is b', ['1: not in → in', '2: is → is not']],
  ['a boolean operator', 'python', 'x = a and not b', ['1: and → or', '1: not b → (b)']],
  ['arithmetic', 'python', 'x = a // b\nx += c', ['1: // → *', '2: += → -=']],
  ['constants', 'python', "x = [0, 'a', True]", ['1: 0 → 1', "1: 'a' → ''", '1: True → False']],
  [
    'conditions, results and errors',
    'python',
    'def f(a: "int") -> "str":\n    """Says."""\n    if a:\n        return b\n    raise c',
    ['3: a → not (a)', '4: b → None', '5: raise c → pass'],
  ],
  ['a removed call', 'python', 'import os\nsave(a)', ['2: save(a) → pass']],
  ['a loop', 'python', 'while a:\n    b = c', ['1: a → False']],
])('mutates %s in %s', async (_, language, text, expected) => {
  expect(await changes(text, language)).toEqual(expected);
});

test('only changed lines are mutated, and the rest of the text stays', async () => {
  const text = 'const a = 1;\nconst b = 2;\nconst c = 3;\n';
  const mutants = await mutantsOf(text, 'ts', new Set([2]));
  expect(mutants).toEqual([
    { line: 2, column: 11, was: '2', becomes: '3', text: 'const a = 1;\nconst b = 3;\nconst c = 3;\n' },
  ]);
});

test('every line gets one mutant before any gets two, always the same', async () => {
  const text = 'x = 1 + 2 + 3;\ny = 4 + 5;\nz = 6;\n';
  const lines = new Set([1, 2, 3]);
  const found = await mutantsOf(text, 'js', lines, 4);
  expect(found.map(({ line }) => line)).toEqual([1, 1, 2, 3]);
  expect(await mutantsOf(text, 'js', lines, 4)).toEqual(found);
});

test('a text that does not parse has none', async () => {
  expect(await mutantsOf('const = ;', 'ts', new Set([1]))).toEqual([]);
  expect(await mutantsOf('def (:', 'python', new Set([1]))).toEqual([]);
});

test('every mutant of real code differs, and parses', async () => {
  for (const name of ['./script-edits.ts', './edit.ts', './mutants-of.ts']) {
    const text = readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8');
    const lines = new Set(text.split('\n').map((_, index) => index + 1));
    const mutants = await mutantsOf(text, 'ts', lines, 60);
    expect(mutants).toHaveLength(60);
    for (const mutant of mutants) expect(mutant.text).not.toBe(text);
  }
});

test('recognizes the languages by file names', () => {
  const paths = ['a.ts', 'a.tsx', 'a.mjs', 'a.py', 'a.d.ts', 'a.go', 'a.pyi'];
  expect(paths.map(mutableLanguageOf)).toEqual(['ts', 'tsx', 'js', 'python', null, null, null]);
});
