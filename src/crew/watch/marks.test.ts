import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { readCheckoutSettings } from '#git/worktrees/checkout-settings.ts';
import { makeRepo } from '#test/support/engine-repo.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { marksOfCheckout, marksOfWorktree, pathsBetween } from './marks.ts';

test('changes are found by looking at files only, whatever git is configured to do', async () => {
  const { dir, git } = makeRepo({ 'README.md': 'hello\n', '.gitignore': 'dist/\n' });
  const repository = await openRepository(dir);
  const settings = await readCheckoutSettings(repository);
  const path = join(temporaryFolder(), 'tree');
  git('worktree', 'add', '-q', '--detach', path);
  for (const folder of [dir, path]) mkdirSync(join(folder, 'dist'));
  const look = async () => ({
    checkout: await marksOfCheckout(repository, settings, ['node_modules']),
    worktree: await marksOfWorktree(repository, path, ['node_modules']),
  });
  const before = await look();

  const trap = join(temporaryFolder(), 'sprung');
  for (const folder of [dir, path]) {
    const inside = new GitRepository({ dir: folder });
    inside.git('update-index', '--assume-unchanged', 'README.md');
    inside.write({
      'README.md': 'changed\n',
      'dist/x.js': 'x',
      'stray.txt': 'x',
      'a/node_modules/y.js': 'y',
    });
    // A nested repository with a program that runs when git is asked about it.
    mkdirSync(join(folder, 'sub'));
    const sub = new GitRepository({ dir: join(folder, 'sub') });
    sub.git('init', '-q', '.');
    sub.commit({ f: 'x\n' });
    sub.git('config', 'filter.evil.clean', `touch ${trap}; cat`);
    sub.write({ '.git/info/attributes': '* filter=evil\n' });
    sub.write({ f: 'y\n' });
  }
  git('config', 'filter.evil.clean', `touch ${trap}; cat`);
  new GitRepository({ dir }).write({ '.git/info/attributes': '* filter=evil\n' });
  mkdirSync(join(repository.commonDir, 'hooks'), { recursive: true });
  appendFileSync(join(repository.commonDir, 'hooks', 'pre-commit'), 'x');

  const after = await look();
  const paths = (from: typeof before.worktree, to: typeof before.worktree) => pathsBetween(from, to).sort();
  expect(paths(before.checkout.files, after.checkout.files)).toEqual([
    'README.md',
    'dist/',
    'stray.txt',
    'sub/f',
  ]);
  expect(paths(before.worktree, after.worktree)).toEqual(['README.md', 'dist/x.js', 'stray.txt', 'sub/f']);
  expect(paths(before.checkout.settings, after.checkout.settings)).toEqual([
    '.git/config',
    '.git/hooks/pre-commit',
    '.git/info/attributes',
  ]);
  expect(existsSync(trap)).toBe(false);
});
