import type { CallShape } from '#code/facts/facts.ts';
import type { Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** `<Badge text="new" />` passes one object to its component: the attributes, and `children` if there are any. */
export function jsxShape(reading: Reading, opening: number): CallShape {
  const { keys, open } = attributesOf(reading, opening);
  if (hasChildren(reading, opening)) keys.push('children');
  return {
    positional: 1,
    keywords: [],
    spread: false,
    keywordSpread: false,
    objects: [{ index: 0, keys, open }],
    awaited: false,
    result: 'other',
    unpacked: null,
  };
}

/** Attributes that React handles itself. */
const reserved = new Set(['key', 'ref']);

/** The tree has the values of attributes but not their names: the names are the text without the values. */
function attributesOf({ tree, text }: Reading, opening: number): { keys: string[]; open: boolean } {
  const end = tree.end[opening] as number;
  let at = tree.start[opening] as number;
  let rest = '';
  for (
    let child = opening + 1;
    child < (tree.after[opening] as number);
    child = tree.after[child] as number
  ) {
    const isHead = tree.role[child] === Role.jsxName || tree.role[child] === Role.typeArgument;
    rest = isHead ? '' : rest + text.slice(at, tree.start[child] as number);
    at = tree.end[child] as number;
  }
  rest += text.slice(at, end);
  const names = rest.replaceAll(/\/\*.{0,1000}?\*\//gs, ' ').match(/[\p{L}_$][\p{L}\p{N}_$:.-]*/gu) ?? [];
  return {
    // Attributes with a dash are allowed on every element.
    keys: names.filter((name) => !reserved.has(name) && !name.includes('-')),
    open: rest.includes('...'),
  };
}

/** Attributes with a dash or a colon are no props: `data-mode="dark"`. */
const attributeBefore = /(?:^|\s)([A-Za-z_$][\w$]{0,100}) ?= ?\{?$/;

/** Attributes whose value is a text: `variant="primary"`. None beside a spread: with a value of type `any` the compiler accepts every text. */
export function attributeTexts(reading: Reading, opening: number): { name: string; value: number }[] {
  const { tree, text } = reading;
  const found: { name: string; value: number }[] = [];
  let at = tree.start[opening] as number;
  for (
    let child = opening + 1;
    child < (tree.after[opening] as number);
    child = tree.after[child] as number
  ) {
    const before = text.slice(at, tree.start[child] as number);
    const name = tree.kind[child] === Kind.String ? attributeBefore.exec(before.trimEnd())?.[1] : undefined;
    if (name !== undefined) found.push({ name, value: child });
    at = tree.end[child] as number;
  }
  return found.length > 0 && attributesOf(reading, opening).open ? [] : found;
}

function hasChildren({ tree, text }: Reading, opening: number): boolean {
  const element = tree.parent[opening] as number;
  for (
    let child = tree.after[opening] as number;
    child < (tree.after[element] as number);
    child = tree.after[child] as number
  ) {
    if (tree.kind[child] !== Kind.JsxText) return true;
    if (text.slice(tree.start[child] as number, tree.end[child] as number).trim() !== '') return true;
  }
  return false;
}
