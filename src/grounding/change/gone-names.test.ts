import { expect, test } from 'vitest';
import { changedLines } from '#lib/changed-lines.ts';
import { goneNames } from './gone-names.ts';

function gone(path: string, before: string, after: string): string[] | null {
  const lines = changedLines(before, after);
  return goneNames({ status: 'modified', path, oldPath: path, before, after, lines, unreadable: null });
}

test.each([
  ['a.ts', 'export function a() {}\nexport const b = 1;\n', 'export const b = 2;\n', ['a']],
  ['a.ts', 'export async function a(x: number) {}\n', 'export async function a(y: number) {}\n', []],
  ['a.ts', 'export default class A {}\n', 'class A {}\n', ['A', 'default']],
  ['a.ts', 'export interface A {}\nexport type B = A;\n', 'export interface A {}\n', ['B']],
  ['a.ts', 'const a = 1;\nexport {\n  a,\n};\n', 'const a = 1;\nexport {\n};\n', null],
  ['a.js', 'module.exports = { a };\n', 'module.exports = {};\n', null],
  ['a.ts', "export * from './b.ts';\n", '', null],
  ['a.ts', 'export const { a, b } = c;\n', 'export const { a } = c;\n', null],
  ['a.py', 'def a():\n    b = 1\n\n\nC = 2\n', 'def a():\n    pass\n', ['C']],
  ['a.py', 'class A:\n    pass\n', 'class B:\n    pass\n', ['A']],
  ['a.py', 'from b import c\n', '', null],
  ['a.py', 'a, b = 1, 2\n', '', null],
])('%s loses names that no line restores: %j', (path, before, after, expected) => {
  expect(gone(path, before, after)?.sort() ?? null).toEqual(expected);
});
