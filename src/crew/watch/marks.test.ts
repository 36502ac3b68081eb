import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '#git/repository.ts';
import { createDetachedWorktree, worktreeGitDir } from '#git/worktrees.ts';
import { temporaryFolder } from '#test/joinery.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { marksOfCheckout, marksOfWorktree, pathsBetween } from './marks.ts';

test('while git fails, nothing is said of a checkout but of git’s settings, and nothing of a worktree', async () => {
  const { dir } = makeRepo();
  const repository = await openRepository(dir);
  const path = join(temporaryFolder(), 'tree');
  await createDetachedWorktree(repository, path, 'HEAD', 'test');
  for (const folder of [dir, path]) writeFileSync(join(folder, 'stray.txt'), 'x');
  const look = async () => ({
    checkout: await marksOfCheckout(repository, []),
    worktree: await marksOfWorktree(repository, path, []),
  });
  const before = await look();
  expect([...(before.checkout.files?.keys() ?? [])]).toEqual(['stray.txt']);
  expect([...(before.worktree?.keys() ?? [])]).toContain('stray.txt');

  const indexes = [repository.commonDir, (await worktreeGitDir(repository, path)) ?? ''].map((folder) =>
    join(folder, 'index'),
  );
  for (const index of indexes) {
    renameSync(index, `${index}.good`);
    writeFileSync(index, 'no index');
  }
  mkdirSync(join(repository.commonDir, 'hooks'), { recursive: true });
  appendFileSync(join(repository.commonDir, 'hooks', 'pre-commit'), 'x');
  const during = await look();
  expect(during).toMatchObject({ checkout: { files: null }, worktree: null });
  expect(pathsBetween(before.checkout.files, during.checkout.files)).toEqual([]);
  expect(pathsBetween(before.checkout.settings, during.checkout.settings)).toEqual(['.git/hooks/pre-commit']);

  for (const index of indexes) renameSync(`${index}.good`, index);
  expect(pathsBetween(before.worktree, (await look()).worktree)).toEqual([]);
});
