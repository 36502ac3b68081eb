import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Turnstile } from '#lib/semaphore.ts';
import { GitRepository } from '#test/git-repository.ts';
import { temporaryFolder } from '#test/joinery.ts';
import { changedFiles, mergeInto, readRef, writeCommit } from './branches.ts';
import { Git } from './git.ts';
import { openRepository } from './repository.ts';
import { RunRefs } from './run-refs.ts';
import { createScratch } from './scratch.ts';
import { openWorktreeReader } from './worktree-tree.ts';
import {
  createWorktree,
  isPristine,
  readWorktree,
  removeWorktree,
  restoreWorktree,
  worktreesBelow,
} from './worktrees.ts';

async function place() {
  const made = new GitRepository();
  const from = made.commit({ 'a.txt': 'a\n', '.gitignore': 'ignored\n' });
  const repository = await openRepository(made.dir);
  const folder = join(temporaryFolder(), 'trees');
  const wanted = {
    path: join(folder, 'one'),
    branch: 'joinery/r/one',
    from,
    reason: 'a "reason"\nof two lines',
  };
  const git = new Git({ cwd: repository.commonDir, isDurable: true });
  const refs = await RunRefs.raise(git, 'r', 1);
  onTestFinished(() => refs.close());
  return { made, repository, folder, wanted, git, refs };
}

describe('a worktree', () => {
  test('is locked, at the commit and on the branch that were asked for', async () => {
    const { made, repository, wanted, refs } = await place();
    await createWorktree(repository, refs, wanted);
    expect(await isPristine(repository, wanted)).toBe(true);
    expect(made.git('worktree', 'list', '--porcelain')).toContain('locked');
    expect(made.git('rev-parse', wanted.branch)).toBe(wanted.from);
    writeFileSync(join(wanted.path, 'new'), '');
    expect(await isPristine(repository, wanted)).toBe(false);
  });

  test('replaces whatever lies in its place, half-made ones included', async () => {
    const { repository, wanted, refs } = await place();
    mkdirSync(join(wanted.path, 'rubbish'), { recursive: true });
    await createWorktree(repository, refs, wanted);
    const admin = join(repository.commonDir, 'worktrees', 'one');
    writeFileSync(join(admin, 'locked'), 'initializing');
    writeFileSync(join(wanted.path, '.git'), 'gitdir: /nowhere\n');
    await createWorktree(repository, refs, wanted);
    expect(await isPristine(repository, wanted)).toBe(true);
    expect(readdirSync(join(repository.commonDir, 'worktrees'))).toHaveLength(1);
  });

  test('leaves nothing behind when it goes, locked or not', async () => {
    const { repository, wanted, folder, refs } = await place();
    await createWorktree(repository, refs, wanted);
    expect(await worktreesBelow(repository, folder)).toEqual([wanted.path]);
    await removeWorktree(repository, wanted.path);
    await removeWorktree(repository, wanted.path);
    expect(existsSync(wanted.path)).toBe(false);
    expect(await worktreesBelow(repository, folder)).toEqual([]);
    const admin = join(repository.commonDir, 'worktrees');
    expect(existsSync(admin) ? readdirSync(admin) : []).toEqual([]);
  });

  test('never takes another of the same name with it', async () => {
    const { repository, wanted, folder, refs } = await place();
    const stay = async (name: string) => {
      for (let round = 0; round < 12; round++) {
        const mine = { ...wanted, path: join(folder, name, 'same'), branch: `joinery/r/${name}` };
        await createWorktree(repository, refs, mine);
        expect(await isPristine(repository, mine), `${name}, round ${round}`).toBe(true);
        await removeWorktree(repository, mine.path);
      }
    };
    await Promise.all(['left', 'right', 'middle'].map(stay));
    const admin = join(repository.commonDir, 'worktrees');
    expect(existsSync(admin) ? readdirSync(admin) : []).toEqual([]);
  });

  test('has a tree of all that is not ignored and not put there by us', async () => {
    const { repository, wanted, git, refs } = await place();
    await createWorktree(repository, refs, wanted);
    for (const [path, text] of [
      ['b :(top)*.txt', 'b'],
      ['ignored', 'x'],
      ['node_modules/x', 'x'],
    ] as const) {
      mkdirSync(join(wanted.path, 'node_modules'), { recursive: true });
      writeFileSync(join(wanted.path, path), text);
    }
    const reading = await readWorktree(repository, wanted.path, ['node_modules']);
    const tree = reading.status === 'read' ? reading.tree : '';
    const commit = await writeCommit(git, {
      tree,
      parents: [wanted.from],
      message: 'x\0y',
      at: '2030-01-01T00:00:00.000Z',
    });
    expect(await changedFiles(git, wanted.from, commit)).toEqual([
      { path: 'b :(top)*.txt', change: 'added' },
    ]);
  });
});

test('what an agent puts in the place of .git is not believed', async () => {
  const { repository, wanted, refs } = await place();
  await createWorktree(repository, refs, wanted);
  const trap = join(temporaryFolder(), 'sprung');
  const evil = new GitRepository();
  evil.git('config', 'filter.evil.clean', `touch ${trap}; cat`);
  writeFileSync(join(wanted.path, '.git'), `gitdir: ${join(evil.dir, '.git')}\n`);
  writeFileSync(join(wanted.path, '.gitattributes'), '* filter=evil\n');
  expect(await readWorktree(repository, wanted.path, [])).toMatchObject({ status: 'read' });
  expect(existsSync(trap)).toBe(false);
  rmSync(wanted.path, { recursive: true });
  expect(await readWorktree(repository, wanted.path, [])).toMatchObject({ status: 'unreadable' });
});

test('a dependency folder that is ignored as well does not keep a worktree from being read', async () => {
  const repository = new GitRepository();
  const commit = repository.commit({ '.gitignore': 'node_modules\n', 'a.txt': 'a\n' });
  const path = join(temporaryFolder(), 'tree');
  repository.git('worktree', 'add', '-q', '--detach', path, commit);
  new GitRepository({ dir: path }).write({ 'node_modules/x/y.js': 'y', 'b.txt': 'b\n' });
  const opened = await openRepository(repository.dir);
  const reading = await readWorktree(opened, path, ['node_modules']);
  const tree = reading.status === 'read' ? reading.tree : '';
  expect(repository.git('ls-tree', '-r', '--name-only', tree).split('\n')).toEqual([
    '.gitignore',
    'a.txt',
    'b.txt',
  ]);
});

describe('a worktree whose index was told to look away', () => {
  async function tampered(...hide: string[]) {
    const repository = new GitRepository();
    const commit = repository.commit({
      'a.txt': 'good\n',
      'b.txt': 'b\n',
      '.gitignore': 'cache/\nnode_modules/\n',
    });
    const path = join(temporaryFolder(), 'tree');
    repository.git('worktree', 'add', '-q', '--detach', path, commit);
    const inside = new GitRepository({ dir: path });
    inside.git('config', 'core.trustctime', 'false');
    inside.git('config', 'core.checkStat', 'minimal');
    inside.git('update-index', ...hide, 'a.txt');
    inside.write({ 'a.txt': 'evil\n', 'cache/x': 'x', 'node_modules/y': 'y', 'new.txt': 'z' });
    return { opened: await openRepository(repository.dir), commit, path, inside };
  }

  test.each(['--assume-unchanged', '--skip-worktree'])('%s hides no change', async (hide) => {
    const { opened, commit, path, inside } = await tampered(hide);
    const scratch = await createScratch(opened, temporaryFolder());
    const reader = await openWorktreeReader(opened, scratch, path, ['node_modules']);
    const names = await scratch.git.text([
      'diff-tree',
      '-r',
      '--name-only',
      `${commit}^{tree}`,
      await reader.tree(),
    ]);
    expect(names.split('\n')).toEqual(['a.txt', 'new.txt']);
    await restoreWorktree(opened, path, commit, ['node_modules']);
    expect(readdirSync(path).sort()).toEqual(['.git', '.gitignore', 'a.txt', 'b.txt', 'node_modules']);
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('good\n');
    expect(inside.git('rev-parse', 'HEAD')).toBe(commit);
  });
});

describe('a merge into a branch', () => {
  test('gives the same commit when it is done again, and moves nothing the second time', async () => {
    const { made, wanted, refs } = await place();
    const one = made.branch('one', { 'one.txt': '1' });
    const two = made.branch('two', { 'two.txt': '2' });
    const ref = 'refs/heads/joinery/r/integration';
    const merge = { message: 'merge', at: '2030-01-01T00:00:00.000Z' };
    await refs.move(ref, wanted.from, null);
    const first = await mergeInto(refs, ref, one, merge);
    expect(await mergeInto(refs, ref, one, merge)).toEqual(first);
    await refs.move(ref, wanted.from, first.head);
    expect(await mergeInto(refs, ref, one, merge)).toEqual(first);
    const second = await mergeInto(refs, ref, two, merge);
    expect(made.git('ls-tree', '--name-only', second.head)).toContain('two.txt');
  });

  test('names the paths that do not merge and leaves the branch alone', async () => {
    const { made, git, refs } = await place();
    const one = made.branch('one', { 'a.txt': '1\n' });
    const two = made.branch('two', { 'a.txt': '2\n' });
    await refs.move('refs/heads/x', one, null);
    expect(
      await mergeInto(refs, 'refs/heads/x', two, { message: 'm', at: '2030-01-01T00:00:00.000Z' }),
    ).toEqual({
      status: 'conflict',
      head: one,
      paths: ['a.txt'],
    });
    expect(await readRef(git, 'refs/heads/x')).toBe(one);
  });

  test('moves a ref only from where it was seen', async () => {
    const { made, wanted, refs } = await place();
    const one = made.branch('one', { 'one.txt': '1' });
    expect(await refs.move('refs/heads/x', wanted.from, null)).toBe(true);
    expect(await refs.move('refs/heads/x', one, one)).toBe(false);
    expect(await refs.move('refs/heads/x', one, wanted.from)).toBe(true);
  });

  test('moves nothing for a holder that was replaced', async () => {
    const { made, git, wanted, refs } = await place();
    const newer = await RunRefs.raise(git, 'r', 2);
    await expect(refs.set('refs/heads/x', wanted.from)).rejects.toMatchObject({ code: 'fenced' });
    await expect(RunRefs.raise(git, 'r', 1)).rejects.toMatchObject({ code: 'fenced' });
    await newer.set('refs/heads/x', wanted.from);
    newer.close();
    expect(made.git('rev-parse', 'x')).toBe(wanted.from);
  });
});

test('a turnstile lets so many through at a time, and goes on after a failure', async () => {
  const turnstile = new Turnstile(2);
  let inside = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, (_, n) =>
      turnstile.pass(async () => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside -= 1;
        if (n === 1) throw new Error('one of them');
        return n;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    ...Array(5).fill('fulfilled'),
  ]);
});
