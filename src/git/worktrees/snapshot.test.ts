import { appendFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { snapshotWorktree } from './snapshot.ts';
import { SnapshotMemory } from './snapshots.ts';

/** A repository with a submodule whose settings name a program. */
async function place() {
  const trap = join(temporaryFolder(), 'sprung');
  const made = new GitRepository();
  made.commit({ 'a.txt': 'a\n' });
  mkdirSync(join(made.dir, 'sub'));
  const inner = new GitRepository({ dir: join(made.dir, 'sub') });
  inner.git('init', '-q', '-b', 'main', '.');
  const before = inner.commit({ f: 'x\n' });
  made.git('update-index', '--add', '--cacheinfo', `160000,${before},sub`);
  made.git('commit', '-q', '-m', 'sub');
  inner.git('config', 'filter.evil.clean', `touch ${trap}; cat`);
  inner.write({ '.git/info/attributes': '* filter=evil\n' });
  const repository = await openRepository(made.dir);
  const scratch = await createScratch(repository, temporaryFolder());
  onTestFinished(() => scratch.remove());
  const snapshot = () => snapshotWorktree(repository, scratch, made.dir);
  const link = async () =>
    (await scratch.git.text(['ls-tree', (await snapshot()).commit, 'sub'])).split(/\s/)[2] ?? null;
  return { made, inner, before, trap, snapshot, link };
}

test('a snapshot contains changes made in the same second as the index, even when it is taken later', async () => {
  const made = new GitRepository();
  made.commit({ 'a.txt': 'a\n' });
  const repository = await openRepository(made.dir);
  const scratch = await createScratch(repository, temporaryFolder());
  onTestFinished(() => scratch.remove());
  const file = join(made.dir, 'a.txt');
  const second = new Date(Math.floor(Date.now() / 1000 - 60) * 1000);
  utimesSync(file, second, second);
  made.git('update-index', '--refresh');
  utimesSync(join(made.dir, '.git/index'), second, second);
  made.write({ 'a.txt': 'b\n' });
  utimesSync(file, second, second);
  expect(await snapshotWorktree(repository, scratch, made.dir)).toMatchObject({ isDirty: true });
});

test('a watch waits while git checks out files: those that are not written yet are not deleted', async () => {
  const made = new GitRepository();
  made.commit({ 'a.txt': 'a\n' });
  const memory = new SnapshotMemory(await openRepository(made.dir), temporaryFolder(), () => 1);
  onTestFinished(() => memory.remove());
  const lock = join(made.dir, '.git/index.lock');
  writeFileSync(lock, '');
  rmSync(join(made.dir, 'a.txt'));
  setTimeout(() => {
    made.write({ 'a.txt': 'a\n' });
    rmSync(lock);
  }, 300);
  expect(await (await memory.next()).take(made.dir)).toMatchObject({ isDirty: false });
});

test.each([
  ['no name', '""', ''],
  ['a name that is no text', '"ev\u00ffil"', 'ev\u00ffil'],
  ['a name with a quote', '"q\\"u"', 'q"u'],
])('a snapshot runs no filter with %s', async (_, section, name) => {
  const trap = join(temporaryFolder(), 'sprung');
  const made = new GitRepository();
  made.commit({ 'a.txt': 'a\n' });
  const settings = join(made.dir, '.git');
  appendFileSync(join(settings, 'config'), `[filter ${section}]\n\tclean = touch ${trap}\n`, 'latin1');
  mkdirSync(join(settings, 'info'), { recursive: true });
  writeFileSync(join(settings, 'info/attributes'), `* filter=${name}\n`, 'latin1');
  made.write({ 'a.txt': 'b\n' });
  const repository = await openRepository(made.dir);
  const scratch = await createScratch(repository, temporaryFolder());
  onTestFinished(() => scratch.remove());
  expect(await snapshotWorktree(repository, scratch, made.dir)).toMatchObject({ isDirty: true });
  expect(existsSync(trap)).toBe(false);
});

describe('a snapshot of a worktree with a submodule', () => {
  test('runs nothing in the submodule, however dirty it is', async () => {
    const { made, inner, trap, snapshot } = await place();
    inner.write({ f: 'y\n' });
    made.write({ 'a.txt': 'b\n' });
    expect(await snapshot()).toMatchObject({ isDirty: true });
    expect(existsSync(trap)).toBe(false);
  });

  test.each(['loose', 'packed', 'detached'])(
    'has the commit that the submodule has checked out (%s)',
    async (how) => {
      const { inner, before, link } = await place();
      expect(await link()).toBe(before);
      inner.git('config', '--unset', 'filter.evil.clean');
      const after = inner.commit({ f: 'z\n' });
      if (how === 'packed') inner.git('pack-refs', '--all');
      if (how === 'detached') inner.git('checkout', '-q', '--detach');
      expect(await link()).toBe(after);
      rmSync(inner.dir, { recursive: true });
      expect(await link()).toBe(null);
    },
  );
});
