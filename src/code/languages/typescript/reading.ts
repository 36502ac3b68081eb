import type { Tokens } from '#code/lex/tokens.ts';
import type { ThisOwner } from './class-context.ts';
import type { Lines } from './lines.ts';
import type { Names } from './names.ts';
import type { Scopes } from './scopes.ts';
import type { FlatTree } from './tree/flat-tree.ts';
import { Kind } from './tree/grammar.ts';

export type Variant = 'ts' | 'tsx' | 'dts' | 'js';

/** One file during extraction: everything the parts of the extractor share. */
export interface Reading {
  readonly text: string;
  readonly variant: Variant;
  readonly tree: FlatTree;
  readonly tokens: Tokens;
  readonly names: Names;
  readonly lines: Lines;
  readonly scopes: Scopes;
  /** The class that each `this` and `super` belongs to. */
  readonly thisOwners: ReadonlyMap<number, ThisOwner>;
}

/** The first child of `node` in this role, or -1. */
export function childIn(tree: FlatTree, node: number, role: number): number {
  const end = tree.after[node] as number;
  for (let child = node + 1; child < end; child = tree.after[child] as number) {
    if (tree.role[child] === role) return child;
  }
  return -1;
}

export function childrenIn(tree: FlatTree, node: number, role: number): number[] {
  const found: number[] = [];
  const end = tree.after[node] as number;
  for (let child = node + 1; child < end; child = tree.after[child] as number) {
    if (tree.role[child] === role) found.push(child);
  }
  return found;
}

export function countIn(tree: FlatTree, node: number, role: number): number {
  let count = 0;
  const end = tree.after[node] as number;
  for (let child = node + 1; child < end; child = tree.after[child] as number) {
    if (tree.role[child] === role) count++;
  }
  return count;
}

export function has(tree: FlatTree, node: number, flag: number): boolean {
  return ((tree.flags[node] as number) & flag) !== 0;
}

/** `a.b.c` for an expression or type name that consists of names only; otherwise null. */
export function dottedName(reading: Reading, node: number): string | null {
  const { tree, names } = reading;
  const kind = tree.kind[node];
  if (kind === Kind.Reference || kind === Kind.Name || kind === Kind.Binding) return names.ofNode(node);
  if (kind !== Kind.Member && kind !== Kind.QualifiedName && kind !== Kind.JsxMember) return null;
  const parts: string[] = [];
  let current = node;
  while (tree.kind[current] === kind) {
    parts.push(names.ofNode(tree.after[current + 1] as number));
    current++;
  }
  if (tree.kind[current] !== Kind.Reference && tree.kind[current] !== Kind.Name) return null;
  parts.push(names.ofNode(current));
  return parts.reverse().join('.');
}

/** The name of a key or specifier: an identifier, a string or a number; null when it is computed. */
export function keyName(reading: Reading, node: number): string | null {
  const { tree, text, names } = reading;
  const start = tree.start[node] as number;
  const end = tree.end[node] as number;
  switch (tree.kind[node]) {
    case Kind.Name:
    case Kind.Reference:
    case Kind.Binding:
      return names.ofNode(node);
    case Kind.String:
      return stringValue(text.slice(start, end));
    case Kind.Number:
      return String(Number(text.slice(start, end).replaceAll('_', '')));
    default:
      return null;
  }
}

/** The value of a string literal as written, quotes included. */
export function stringValue(raw: string): string {
  const inner = raw.slice(1, -1);
  return inner.includes('\\') ? inner.replace(escapeSequence, unescaped) : inner;
}

const escapeSequence = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[\s\S]))/g;
const short: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

function unescaped(whole: string, braced?: string, four?: string, two?: string, single?: string): string {
  const hex = braced ?? four ?? two;
  if (hex !== undefined) {
    const code = Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  }
  if (single === undefined || single === '\n' || single === '\r\n') return '';
  return short[single] ?? single;
}

/** `[a, b]` as an expression. */
export function isList({ tree, text }: Reading, node: number): boolean {
  return tree.kind[node] === Kind.Other && text[tree.start[node] as number] === '[';
}
