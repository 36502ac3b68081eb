import { expect, test } from 'vitest';
import { languageOf } from '#code/languages/index.ts';
import type { Facts } from './facts.ts';
import { symbolPath } from './facts-index.ts';
import { isContested, mergeFacts } from './merge-facts.ts';
import { pack } from './packing/pack.ts';
import { unpack } from './packing/unpack.ts';

async function read(path: string, text: string): Promise<Facts> {
  const language = languageOf(path);
  await language?.prepare();
  const facts = language?.extract(text);
  if (!facts) throw new Error(`no language reads ${path}`);
  // As from the cache: packed facts have no own keys.
  return unpack(pack(facts));
}

async function versions(path: string, base: string, own: string, other: string) {
  const [before, mine, theirs] = await Promise.all([base, own, other].map((text) => read(path, text)));
  if (!mine || !theirs) throw new Error('two versions');
  return { base: before, own: mine, other: theirs };
}

const names = ({ definitions }: Facts) => definitions.map(symbolPath).sort();

test('each side decides what it adds and removes, even for members of a class', async () => {
  const three = await versions(
    'a.ts',
    'export class Store {\n  load() {}\n  save() {}\n}\nexport function gone() {}\n',
    'export class Store {\n  load() {}\n  save() {}\n  clear() {}\n}\nexport function gone() {}\nexport const mine = 1;\n',
    'export class Store {\n  save() {}\n}\nexport const theirs = 1;\n',
  );
  expect(isContested(three)).toBe(false);
  const merged = mergeFacts(three, 'own');
  expect(names(merged)).toEqual(['Store', 'Store.clear', 'Store.save', 'mine', 'theirs']);
  expect(merged.exports.map(({ name }) => name).sort()).toEqual(['Store', 'mine', 'theirs']);
});

test('a signature that one side changes is the new one, whatever the other side does to the body', async () => {
  const three = await versions(
    'a.ts',
    'export function get(id: string) {\n  return id;\n}\n',
    'export function get(id: string) {\n  return id.trim();\n}\n',
    'export function get(id: string, zone: string) {\n  return id;\n}\n',
  );
  expect(isContested(three)).toBe(false);
  expect(mergeFacts(three, 'own').definitions[0]?.signature?.parameters).toHaveLength(2);
});

test('a definition that one side removes and the other edits is contested, and so is its export', async () => {
  const three = await versions(
    'a.ts',
    'export function get() {\n  return 1;\n}\n',
    'export function get() {\n  return 2;\n}\n',
    'export const other = 1;\n',
  );
  expect(isContested(three)).toBe(true);
  const [own, other] = [mergeFacts(three, 'own'), mergeFacts(three, 'other')];
  expect(names(own)).toEqual(['get', 'other']);
  expect(own.exports.map(({ name }) => name).sort()).toEqual(['get', 'other']);
  expect(names(other)).toEqual(['other']);
  expect(other.exports.map(({ name }) => name)).toEqual(['other']);
});

test('imports of either side are added and removed; one that both bind is contested', async () => {
  const three = await versions(
    'a.ts',
    "import { a } from './a';\nimport { b } from './b';\na(b);\n",
    "import { a } from './a';\nimport { c } from './c';\na(c);\n",
    "import { a } from './else';\nimport { b } from './b';\nimport { d } from './d';\na(b, d);\n",
  );
  const bound = (facts: Facts) => facts.imports.map(({ local, from }) => `${local} ${from}`).sort();
  expect(bound(mergeFacts(three, 'own'))).toEqual(['a ./else', 'c ./c', 'd ./d']);
  const both = await versions(
    'a.ts',
    '',
    "import { a } from './one';\na();\n",
    "import { a } from './two';\na();\n",
  );
  expect(isContested(both)).toBe(true);
  expect(bound(mergeFacts(both, 'own'))).toEqual(['a ./one']);
  expect(bound(mergeFacts(both, 'other'))).toEqual(['a ./two']);
});

test('names of __all__ are added and removed one by one', async () => {
  const three = await versions(
    'a.py',
    "__all__ = ['a', 'b']\na = 1\nb = 1\n",
    "__all__ = ['a', 'b', 'c']\na = 1\nb = 1\nc = 1\n",
    "__all__ = ['b', 'd']\nb = 1\nd = 1\n",
  );
  expect(mergeFacts(three, 'own').publicNames).toEqual(['b', 'c', 'd']);
});

test('a file that both sides add has the names of both', async () => {
  const three = await versions('a.ts', '', 'export const one = 1;\n', 'export const two = 2;\n');
  expect(names(mergeFacts({ ...three, base: undefined }, 'own'))).toEqual(['one', 'two']);
});
