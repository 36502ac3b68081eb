import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { createScratch } from './scratch.ts';

async function made(parent: string) {
  const repository = new GitRepository();
  repository.commit({ 'a.ts': 'export const a = 1;\n' });
  return createScratch(await openRepository(repository.dir), parent);
}

test('a folder with many files is moved away at once, and the thread does not wait for its files', async () => {
  const parent = temporaryFolder();
  const scratch = await made(parent);
  for (let at = 0; at < 500; at++) writeFileSync(join(scratch.objectsDir, `object-${at}`), '');
  const removed = scratch.remove();
  expect(existsSync(scratch.dir)).toBe(false);
  // Its files are removed in the background; this thread has not yielded yet.
  expect(readdirSync(parent)).toHaveLength(1);
  await removed;
  await vi.waitFor(() => expect(readdirSync(parent)).toEqual([]), 10_000);
});

test('the next process removes what an ended one left behind', async () => {
  const parent = temporaryFolder();
  mkdirSync(join(parent, 'removed-run-1-x', 'objects'), { recursive: true });
  const scratch = await made(parent);
  await vi.waitFor(() => expect(readdirSync(parent)).toHaveLength(1), 10_000);
  await scratch.remove();
});
