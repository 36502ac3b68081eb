import { describe, expect, test } from 'vitest';
import { definitions, exports, factsOf, imports, uses } from './facts-of.ts';

describe('imports', () => {
  test.each([
    [
      "import { a, b as c, default as d, 'e-f' as e } from 'x'",
      ['a from x', 'b as c from x', 'default as d from x', 'e-f as e from x'],
    ],
    ["import D from './x.js'", ['default as D from ./x.js']],
    ["import D, * as ns from 'x'", ['default as D from x', '* as ns from x']],
    ["import 'x'", ['* as null from x']],
    ["import type { A } from 'x'", ['A from x type']],
    ["import { type A, b } from 'x'", ['A from x type', 'b from x']],
    ["import type D from 'x'", ['default as D from x type']],
    ["import x = require('y')", ['* as x from y require']],
    ["export import x = require('y')", ['* as x from y require']],
    ["import data from './d.json' with { type: 'json' }", ['default as data from ./d.json']],
  ])('%s', (text, expected) => {
    expect(imports(text)).toEqual(expected);
  });

  test.each([
    ["const m = await import('x')", ['* as m from x dynamic']],
    ["const { a, b: c } = await import('x')", ['a from x dynamic', 'b as c from x dynamic']],
    ["const { a, ...rest } = await import('x')", ['a from x dynamic', '* as null from x dynamic']],
    ["const { a = 1 } = await import('x')", ['a from x dynamic guarded']],
    ["const f = (await import('x')).f", ['f from x dynamic']],
    ["(await import('x')).f()", ['f as null from x dynamic']],
    ["import('x').then(({ a }) => a)", ['a from x dynamic']],
    ["import('x').then((m) => m.a)", ['* as m from x dynamic']],
    ["import('x').catch(() => {})", ['* as null from x dynamic']],
    ["const load = () => import('x')", ['* as null from x dynamic guarded']],
    ['import(`x`)', ['* as null from x dynamic']],
    [`import(\`x\${y}\`)`, []],
    ['import(name)', []],
    ["import.meta.glob('./*.ts')", []],
  ])('%s', (text, expected) => {
    expect(imports(text)).toEqual(expected);
  });

  test.each([
    ["const x = require('y')", ['* as x from y require']],
    ["const { a, b: c } = require('y')", ['a from y require', 'b as c from y require']],
    ["const a = require('y').b", ['b as a from y require']],
    ["require('y').b()", ['b as null from y require']],
    ["require('y')", ['* as null from y require']],
    ["try { require('y') } catch {}", ['* as null from y require guarded']],
    ["if (z) require('y')", ['* as null from y require guarded']],
    ["z && require('y')", ['* as null from y require guarded']],
    ["function f() { const { a } = require('y') }", ['a from y require guarded']],
    ['require(name)', []],
    ["function f(require) { require('y') }", []],
    [
      "import { createRequire } from 'module'; const require = createRequire(import.meta.url); require('y')",
      ['createRequire from module', '* as null from y require'],
    ],
  ])('%s', (text, expected) => {
    expect(imports(text, 'js')).toEqual(expected);
  });

  test.each([
    ["type A = import('x').B.C<D>", ['B as null from x type']],
    ["let a: typeof import('x')", ['* as null from x type']],
    ["function f(a: import('./x').A) {}", ['A as null from ./x type']],
  ])('%s', (text, expected) => {
    expect(imports(text)).toEqual(expected);
  });

  test('names the enclosing definition of an import', () => {
    expect(factsOf("function f() { return import('x') }").imports).toMatchObject([{ scope: 'f' }]);
    expect(factsOf("class A { async m() { await import('x') } }").imports).toMatchObject([{ scope: 'A.m' }]);
  });

  test('treats the variable of a loaded module as an import, not as a definition or a local', () => {
    expect(definitions("const fs = require('fs'), { a } = await import('x'), other = 1")).toEqual([
      'variable other',
    ]);
    expect(uses("async function f() { const m = await import('./m'); m.go(1) }")).toEqual(['call m.go']);
    expect(uses("import('./m').then((m) => m.go())")).toEqual(['call m.go']);
    expect(uses("const { a } = require('x'); a()")).toEqual(['call a']);
  });
});

describe('exports of ES modules', () => {
  test.each([
    ['export const a = 1, { b, c: [d] } = x', ['a = a', 'b = b', 'd = d']],
    ['export function f() {} export class C {} export enum E {}', ['f = f', 'C = C', 'E = E']],
    ['export interface I {} export type T = 1; export namespace N {}', ['I = I', 'T = T', 'N = N']],
    ['export function f(a: 1): 1; export function f(a: any) {}', ['f = f']],
    ['const a = 1, b = 2; export { a, b as c, a as default }', ['a = a', 'c = b', 'default = a']],
    ["export { a, b as c, default } from 'x'", ['a = a from x', 'c = b from x', 'default = default from x']],
    ["export * from 'x'", ['* = * from x']],
    ["export * as ns from 'x'", ['ns = * from x']],
    ["export type { A } from 'x'; export { type B } from 'x'", ['A = A from x type', 'B = B from x type']],
    ["export type * from 'x'", ['* = * from x type']],
    ['export default function f() {}', ['default = f']],
    ['export default class {}', ['default = null']],
    ['export default 1 + 1', ['default = null']],
    ['const a = 1; export default a', ['default = a']],
    ["const a = 1; export { a as 'b-c' }", ['b-c = a']],
    ['export import a = ns.b', ['a = a']],
    ['namespace N { export const inner = 1 } export {}', []],
  ])('%s', (text, expected) => {
    expect(exports(text)).toEqual(expected);
    expect(factsOf(text).module).toBe('esm');
  });

  test('does not know the names of a module that `export =` replaces', () => {
    expect(factsOf('const a = 1; export = a')).toMatchObject({
      module: 'commonjs',
      exports: [{ name: 'default', local: 'a' }],
    });
    expect(factsOf('const a = 1; export = a').opaque).toHaveLength(1);
    expect(factsOf("import b from 'b'; export = { b }").opaque).toHaveLength(1);
    expect(factsOf("import x = require('y'); x()").module).toBe('commonjs');
  });

  test.each([
    ['export declare const a: 1; declare const b: 2, c: 3', ['a = a', 'b = b', 'c = c']],
    [
      "import { x } from './x'; declare function f(x: x): void; type T = 1; interface I {}",
      ['f = f', 'T = T', 'I = I'],
    ],
    ['export default function f(): void; declare class A {}', ['default = f', 'A = A']],
    [
      'declare global { const g: 1 } declare enum E { a } declare namespace N { const n: 1 } export type A = 1',
      ['E = E', 'N = N', 'A = A'],
    ],
    ['export declare const a: 1; declare const b: 2; export {}', ['a = a']],
    ["export * from './x'; declare const b: 2", ['* = * from ./x']],
    ['export default b; declare const b: 2', ['default = b']],
  ])('exports what a declaration file declares, unless it lists its exports: %s', (text, expected) => {
    expect(exports(text, 'dts')).toEqual(expected);
    expect(factsOf(text, 'dts').opaque).toEqual([]);
  });
});

describe('CommonJS', () => {
  test.each([
    ['const a = 1; exports.a = a; exports.b = function () {}', ['a = a', 'b = b'], 0],
    ['module.exports.a = 1', ['a = a'], 0],
    ['const a = 1; module.exports = { a, b: 2, c() {} }', ['a = a', 'b = b', 'c = c'], 0],
    ['exports.a = exports.b = void 0; const b = 1; exports.b = b', ['a = null', 'b = b'], 0],
    ["exports['a-b'] = 1", ['a-b = a-b'], 0],
    [
      "Object.defineProperty(exports, '__esModule', { value: true }); Object.defineProperty(exports, 'a', { get() {} })",
      ['a = null'],
      0,
    ],
    ["__exportStar(require('./x'), exports)", ['* = * from ./x'], 0],
    ['function f() {} module.exports = f', ['default = f'], 1],
    ['module.exports = { ...x, a: 1 }', ['a = a'], 1],
    ['exports[name] = 1', [], 1],
    ['Object.assign(exports, x)', [], 1],
    ['const e = module.exports; e.a = 1', [], 1],
  ])('%s', (text, expected, opaque) => {
    const facts = factsOf(text, 'js');
    expect(exports(text, 'js')).toEqual(expected);
    expect(facts.opaque).toHaveLength(opaque);
    expect(facts.module).toBe('commonjs');
  });

  test('defines exports that have no other name', () => {
    expect(
      definitions('exports.f = function (a) {}; exports.C = class { m() {} }; module.exports.v = 1', 'js'),
    ).toEqual(['function f', 'class C', 'method C.m', 'variable v']);
  });

  test('is not confused by names that are bound', () => {
    expect(factsOf('const exports = {}; exports.a = 1', 'js')).toMatchObject({
      module: 'script',
      exports: [],
    });
    expect(factsOf('function f(module) { module.exports = 1 }', 'js')).toMatchObject({
      module: 'script',
      opaque: [],
    });
    expect(factsOf('if (typeof exports === "object") {}', 'js').module).toBe('script');
  });

  test('is a script when there is neither', () => {
    expect(factsOf('const a = 1').module).toBe('script');
    expect(factsOf('').module).toBe('script');
  });
});
