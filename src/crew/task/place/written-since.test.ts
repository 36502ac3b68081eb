import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileClock } from '#lib/file-clock.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { isWrittenSince } from './written-since.ts';

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
  ['the folder, removed', (folder) => rmSync(folder, { recursive: true })],
  ['the folder, moved away', (folder) => renameSync(folder, `${folder}-old`)],
];

/** Longer than the clock resolution of any file system. */
async function later(): Promise<void> {
  const probe = join(temporaryFolder(), 'probe');
  const from = fileClock(probe);
  while (fileClock(probe) === from) await new Promise((resolve) => setTimeout(resolve, 1));
}

function dependencies() {
  const root = temporaryFolder();
  const folder = join(root, 'node_modules');
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/b/x.js'), 'x');
  return { root, folder };
}

test.each([['nothing', () => {}] as const, ...changes])('%s is noticed', async (what, change) => {
  const { root, folder } = dependencies();
  const time = fileClock(join(root, 'clock'));
  await later();
  change(folder);
  expect(await isWrittenSince(folder, time)).toBe(what !== 'nothing');
});

test('linking to a shared file is not writing it, writing to it is', async () => {
  const { root, folder } = dependencies();
  const file = join(folder, 'a/b/x.js');
  linkSync(file, join(root, 'first'));
  const time = fileClock(join(root, 'clock'));
  await later();
  linkSync(file, join(root, 'second'));
  expect(await isWrittenSince(folder, time, true)).toBe(false);
  expect(await isWrittenSince(folder, time)).toBe(true);
  writeFileSync(file, 'y');
  expect(await isWrittenSince(folder, time, true)).toBe(true);
});
