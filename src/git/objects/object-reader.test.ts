import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { ObjectReader } from './object-reader.ts';

const large = 'x'.repeat(300_000);
async function opened() {
  const made = new GitRepository();
  made.commit({ 'small.txt': 'small', 'large.txt': large, 'last.txt': 'last' });
  const reader = new ObjectReader((await openRepository(made.dir)).git);
  onTestFinished(() => reader.close());
  return { reader, idOf: (path: string) => made.git('rev-parse', `HEAD:${path}`) };
}

test('skips an object that is too large and reads the next one', async () => {
  const { reader, idOf } = await opened();
  const paths = ['small.txt', 'large.txt', 'last.txt', 'large.txt'];
  const blobs = await Promise.all([
    ...paths.map((path) => reader.blob(idOf(path), 1000)),
    reader.blob('0'.repeat(40), 1000),
    reader.blob(idOf('large.txt'), large.length),
  ]);
  expect(blobs.map((blob) => blob && [blob.size, blob.content?.toString('utf8') ?? null])).toEqual([
    [5, 'small'],
    [300_000, null],
    [4, 'last'],
    [300_000, null],
    null,
    [300_000, large],
  ]);
});

test('what was read recently is not asked of git again, whatever size is asked for', async () => {
  const made = new GitRepository();
  made.commit({ 'a.txt': 'twelve bytes' });
  const id = made.git('rev-parse', 'HEAD:a.txt');
  const reader = new ObjectReader((await openRepository(made.dir)).git, { mostRecentBytes: 1000 });
  onTestFinished(() => reader.close());
  expect(await reader.blob(id, 5)).toEqual({ size: 12, content: null });
  expect((await reader.blob(id, 12))?.content?.toString()).toBe('twelve bytes');
  rmSync(join(made.dir, '.git', 'objects', id.slice(0, 2), id.slice(2)));
  expect((await reader.blob(id, 12))?.content?.toString()).toBe('twelve bytes');
  expect(await reader.blob(id, 5)).toEqual({ size: 12, content: null });
  expect([...reader.missing]).toEqual([]);
});

test('answers questions in the order in which they were asked', async () => {
  const { reader, idOf } = await opened();
  const first = reader.header('HEAD^{tree}');
  const second = Promise.resolve().then(() => reader.content(idOf('last.txt')));
  expect((await first)?.type).toBe('tree');
  expect((await second)?.toString('utf8')).toBe('last');
  expect(await reader.header('no such name')).toBeNull();
});
