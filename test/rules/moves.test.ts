import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openForks } from '#test/support/scenario/check-scenarios.ts';
import type { Fork } from '#test/support/scenario/scenario.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-moves-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

const files = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));

/** One branch gives `save` other parameters, the other one calls it as it was. */
const fork = (after: string): Fork => ({
  base: files({
    'src/save.ts': 'export function save(id: string, name: string) {\n  return id + name;\n}\n',
  }),
  branches: [
    { name: 'a', changes: files({ 'src/save.ts': after }) },
    { name: 'b', changes: files({ 'src/use.ts': "import { save } from './save.ts';\n\nsave('1', 'x');\n" }) },
  ],
  main: null,
});

const check = await openForks(
  [
    fork('export function save({ id, name }: { id: string; name: string }) {\n  return id + name;\n}\n'),
    fork('export function save(user: { id: string; name: string }) {\n  return user.id + user.name;\n}\n'),
    fork('export function save(id: string) {\n  return id;\n}\n'),
  ],
  root,
);

test.each([
  ['parameters that became an object: which argument goes where is not known', 0, ''],
  ['parameters that became a named object', 1, ''],
  ['a parameter that is gone', 2, 'drop 1 argument'],
])('the move for %s', async (_name, index, suggestion) => {
  const { findings } = await check(index);
  expect(findings.find(({ rule }) => rule === 'S04')).toMatchObject({ suggestion });
});
