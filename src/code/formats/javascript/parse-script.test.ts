import { expect, test } from 'vitest';
import { jsonParse, parseScript, rawParse } from './parse-script.ts';

test.each([
  ['ts', 'export interface Team { id: string; size?: number }\nconst n = 1e3, big = 10n, re = /a+/g;'],
  [
    'ts',
    '@Controller("users") export class Users { constructor(@InjectQueue("mails") private mails: Queue) {} }',
  ],
  ['ts', 'const größer = `…${a}𝒳`; // ä\nfetch(`/users/${id}`, { method: "PUT" });'],
  ['tsx', 'export default () => <Page title="…">{items.map((one) => <li key={one.id} />)}</Page>;'],
  ['jsx', '#!/usr/bin/env node\nmodule.exports = { a: <b />, c: class { #d = 1 } };'],
  ['dts', 'declare module "x" { export const version: string; }'],
  ['ts', '\ufeffexport const apiVersion = "2";'],
  ['ts', 'const broken = {'],
] as const)('a tree read from memory is the tree that is sent as JSON: %s %s', async (lang, text) => {
  const [raw, json] = [(await rawParse())(text, { lang }), (await jsonParse())(text, { lang })];
  expect(raw.errors.length).toBe(json.errors.length);
  // Their properties in the same order, too, which is the order of a walk.
  const asText = (tree: object) =>
    JSON.stringify(tree, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  expect(asText(raw.program)).toBe(asText(json.program));
});

test.each([
  ['a sum of a hundred thousand terms', `const a = ${Array(100_000).fill('b').join(' + ')};`],
  ['a hundred thousand brackets', `const a = ${'['.repeat(100_000)}${']'.repeat(100_000)};`],
])('%s is no reason to end the process', async (_, text) => {
  expect(await parseScript('src/deep.ts', text)).toBeNull();
});
