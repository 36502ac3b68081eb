import { expect, test } from 'vitest';
import { extractAll } from '#code/extraction/extraction.ts';
import type { Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { unpack } from '#code/facts/packing/unpack.ts';
import { type SymbolChange, symbolDelta } from './symbol-delta.ts';

async function factsOf(text: string | null): Promise<Facts | undefined> {
  const [packed] = text === null ? [] : await extractAll([{ language: 'ts', content: Buffer.from(text) }]);
  return packed ? unpack(packed) : undefined;
}

function told(change: SymbolChange): string {
  return 'after' in change && change.kind !== 'added'
    ? `${change.kind} ${change.after.path}#${symbolPath(change.after.definition)}`
    : change.kind;
}

/** `{ 'a.ts#load': ['renamed a.ts#read'] }`, without changed bodies. */
async function deltaOf(files: Record<string, readonly [before: string | null, after: string | null]>) {
  const changed = await Promise.all(
    Object.entries(files).map(async ([path, [before, after]]) => ({
      path,
      oldPath: null,
      before: await factsOf(before),
      after: await factsOf(after),
    })),
  );
  const entries = [...symbolDelta(changed)].map(([id, changes]) => [
    id,
    changes.filter(({ kind }) => kind !== 'body').map(told),
  ]);
  return Object.fromEntries(entries.filter(([, changes]) => changes?.length));
}

const sum = 'let all = 0;\n  for (const each of list) all += each.price * each.count;\n  return all;';

test('the same body under another name is a rename, in another file a move', async () => {
  const before = `export function total(list: Item[]) {\n  ${sum}\n}\n`;
  const renamed = `export function totalOf(list: Item[]) {\n  ${sum}\n}\n`;
  expect(await deltaOf({ 'a.ts': [before, renamed] })).toEqual({ 'a.ts#total': ['renamed a.ts#totalOf'] });
  expect(await deltaOf({ 'a.ts': [before, ''], 'b.ts': [null, before] })).toEqual({
    'a.ts#total': ['moved b.ts#total'],
  });
});

test('equal members are paired in the order of the file, and never with another class', async () => {
  const pair = (a: string, b: string) => `export class Box { ${a}: string = ''; ${b}: string = ''; }\n`;
  expect(await deltaOf({ 'a.ts': [pair('left', 'right'), pair('west', 'east')] })).toEqual({
    'a.ts#Box.left': ['renamed a.ts#Box.west'],
    'a.ts#Box.right': ['renamed a.ts#Box.east'],
  });
  const other = 'export class Other { west: string = ""; }\n';
  expect(await deltaOf({ 'a.ts': [pair('left', 'right'), other] })).toMatchObject({
    'a.ts#Box.left': ['removed'],
    'a.ts#Other.west': ['added'],
  });
});

test('the most similar body wins, a short one never', async () => {
  const lines = Array.from({ length: 9 }, (_, at) => `const part${at} = list.at(${at})?.price ?? fee${at};`);
  const body = (...more: string[]) => `{\n  ${[...lines, ...more, sum].join('\n  ')}\n}\n`;
  const old = `export function total(list: Item[]) ${body()}`;
  const near = `export function gross(list: Item[], tax: number) ${body('log(tax);')}`;
  const far =
    'export function other(name: string, age: number) { return name.repeat(age).trim().split(","); }\n';
  expect(await deltaOf({ 'a.ts': [old, near + far] })).toMatchObject({
    'a.ts#total': ['renamed a.ts#gross'],
  });
  expect(
    await deltaOf({ 'a.ts': ['export const one = () => 1;\n', 'export const two = () => 2;\n'] }),
  ).toMatchObject({ 'a.ts#one': ['removed'], 'a.ts#two': ['added'] });
});

test('the only function with the same parameters in the file is the same function', async () => {
  const open = (name: string, body: string) =>
    `export function ${name}(path: string, mode: number) { ${body} }\n`;
  expect(
    await deltaOf({ 'a.ts': [open('read', 'return 1;'), open('load', 'throw new Error(path);')] }),
  ).toEqual({
    'a.ts#read': ['renamed a.ts#load'],
  });
  const two = open('load', 'throw new Error(path);') + open('fetch', 'while (mode) path;');
  expect(await deltaOf({ 'a.ts': [open('read', 'return 1;'), two] })).toMatchObject({
    'a.ts#read': ['removed'],
  });
});
