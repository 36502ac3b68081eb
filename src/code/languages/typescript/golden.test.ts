import { describe, expect, test } from 'vitest';
import { corpus } from './corpus.ts';
import { extractFacts } from './extract.ts';
import type { Variant } from './reading.ts';
import { openParsers, type Parser } from './tree/parser.ts';

const [buffer, raw, json] = (await openParsers()) as [Parser, Parser, Parser];

function differing(
  sources: readonly { path: string; text: string; variant: Variant }[],
  parser: Parser,
): string[] {
  return sources
    .filter(({ text, variant }) => {
      const one = JSON.stringify(extractFacts(text, variant, [buffer]));
      return one !== JSON.stringify(extractFacts(text, variant, [parser]));
    })
    .map(({ path }) => path);
}

/** Syntax that the installed packages lack, or rarely use. */
const rare = `
import fs = require('fs'); import A = ns.B.C; export = x;
declare module 'ambient' { export const a: string }
declare global { interface Window { a: 1 } }
namespace A.B.C { export const x = 1 } export as namespace Umd;
enum E { 'a-b' = 1, ['c'] = 2, [\`d\`] = 3, e = 1 << 2, f = e }
abstract class K<in out const T = string> extends M.N<T>['x'] implements I.J<T>, L {
  static { this.a = 1; super.b() }
  declare readonly x?: string; accessor y = 1; #z = 2; static async *[Symbol.iterator]() {} get [k]() { return 1 }
  constructor(@Dec() private readonly a: A, public b = 1, protected override c?: C, ...d: D[]) { super(a); #z in this }
  abstract m?(): void; [key: string]: unknown;
}
function f(this: Window, { a, b: { c = 1 } = {}, ...r }: P, [d, , e = 2, ...g]: Q = [], ...rest: R[]): asserts a is string {}
let x: typeof import('x').y.z<A>, y: unique symbol, z: readonly string[], w: [a: A, b?: B, ...c: C[]], v: A extends (infer U extends string)[] ? U : never;
type M1 = { readonly [P in keyof T as \`get\${P}\`]?: T[P] }; type F = abstract new <T>(this: A, x: T) => x is string;
({ a, b: c.d, ...e[0], [f]: g = 1, h = 2 } = i); [a, [b], ...c] = d; for (const { a } of b) ; for (a.b in c) ; for await (using q of r) ;
a?.b?.[c]?.(d)!.e; new.target; import.meta.url; a\`x\${b}\`; (<T,>(x: T) => x)<string>; a ??= b; a **= b; \\u0061bc; label: while (1) continue label;
try {} catch { } finally { } switch (a) { case b: let c; default: } with (a) b; if (a) function g() {} else ; do ; while (a); 'use strict'; debugger;
@a.b @c() class D { @e f; @g() h(@i j) {} } export { a as 'x y', type b }; export * as 'ns' from 'y'; export type * from 'z';
import d, { default as e2, type f2, 'g-h' as i2 } from 'mod' with { type: 'json' }; import type T2 from 't'; import {} from 'empty';
export default class extends (class {}) {}
1n; 0xff; 1_000; /re/gi; null; true; void 0; delete a.b; typeof a; -1; +1; ~1; a++; --b.c; a = b = c; a, b; async () => { await a; yield };
`;
const jsx = `
const a = <ns.A.B<T> b="c" d={e} {...f} g-h:i={<></>}>text's "quoted" // no comment {j} {...k} {/* empty */} <this.x /><_y /><$z /><é /><a-b /></ns.A.B>;
`;

describe('every path to the tree gives the same facts', () => {
  test('for several hundred real files, as objects in memory', () => {
    const sources = corpus(/\.(?:[cm]?[jt]s|[jt]sx)$/, 700);
    expect(sources.length).toBeGreaterThan(500);
    expect(new Set(sources.map(({ variant }) => variant))).toEqual(new Set(['ts', 'dts', 'js']));
    expect(differing(sources, raw)).toEqual([]);
  });

  test('for real files as JSON', () => {
    const sources = corpus(/\.(?:[cm]?[jt]s|[jt]sx)$/, 150);
    expect(sources.length).toBeGreaterThan(100);
    expect(differing(sources, json)).toEqual([]);
  });

  test('for rare syntax', () => {
    const snippets = rare
      .trim()
      .split('\n')
      .flatMap((text) =>
        (['ts', 'tsx', 'dts', 'js'] as const).map((variant) => ({ path: text, text, variant })),
      );
    const all = [...snippets, { path: 'all', text: rare, variant: 'ts' as const }];
    expect(differing(all, raw)).toEqual([]);
    expect(differing(all, json)).toEqual([]);
  });

  test('for JSX', () => {
    const sources = (['tsx', 'js'] as const).map((variant) => ({
      path: variant,
      text: variant === 'js' ? jsx.replace('<T>', '') : jsx,
      variant,
    }));
    expect(
      sources.every(({ text, variant }) => extractFacts(text, variant, [buffer]).syntaxError === null),
    ).toBe(true);
    expect(differing(sources, raw)).toEqual([]);
    expect(differing(sources, json)).toEqual([]);
  });
});
