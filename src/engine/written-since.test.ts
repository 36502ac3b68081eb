import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/joinery.ts';
import { fileClock, isWrittenSince } from './written-since.ts';

const changes: readonly [string, (folder: string) => void][] = [
  ['a file that was written', (folder) => writeFileSync(join(folder, 'a/b/x.js'), 'y')],
  [
    'a file that was written and dated back',
    (folder) => {
      writeFileSync(join(folder, 'a/b/x.js'), 'y');
      utimesSync(join(folder, 'a/b/x.js'), 0, 0);
    },
  ],
  ['a file that was made', (folder) => writeFileSync(join(folder, 'a/new.js'), '')],
  ['a file that was removed', (folder) => rmSync(join(folder, 'a/b/x.js'))],
  ['a folder that was renamed', (folder) => renameSync(join(folder, 'a/b'), join(folder, 'a/c'))],
  ['a link that was made', (folder) => symlinkSync('/', join(folder, 'link'))],
];

/** Longer than a tick of any file system's clock. */
async function later(): Promise<void> {
  const probe = join(temporaryFolder(), 'probe');
  const from = fileClock(probe);
  while (fileClock(probe) === from) await new Promise((resolve) => setTimeout(resolve, 1));
}

test.each([['nothing', () => {}] as const, ...changes])('%s is noticed', async (what, change) => {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules');
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/b/x.js'), 'x');
  const time = fileClock(join(root, 'clock'));
  await later();
  change(folder);
  expect(await isWrittenSince(folder, time)).toBe(what !== 'nothing');
});

test('a folder that is not there was not written', async () => {
  expect(await isWrittenSince(join(temporaryFolder(), 'none'), 0n)).toBe(false);
});
