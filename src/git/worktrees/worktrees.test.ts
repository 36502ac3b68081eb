import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Git } from '#git/call/git.ts';
import { openRepository } from '#git/call/repository.ts';
import { mergeOnto } from '#git/merges/branches.ts';
import { openVerifiedObjects } from '#git/objects/verified-objects.ts';
import { recentMoves } from '#git/refs/reflog.ts';
import { RunRefs } from '#git/refs/run-refs.ts';
import { Semaphore } from '#lib/semaphore.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { readCheckoutSettings } from './checkout-settings.ts';
import { readRefSnapshot } from './ref-snapshot.ts';
import { createWorktree, readWorktreeHead, removeWorktree, worktreesBelow } from './worktrees.ts';

async function place() {
  const made = new GitRepository();
  const commit = made.commit({ 'a.txt': 'a\n', '.gitignore': 'ignored\n' });
  const repository = await openRepository(made.dir);
  const folder = join(realpathSync(temporaryFolder()), 'trees');
  const wanted = {
    path: join(folder, 'one'),
    branch: 'joinery/r/one',
    commit,
    reason: 'a "reason"\nof two lines',
  };
  const git = new Git({ cwd: repository.commonDir, isDurable: true });
  const { commonDir } = repository;
  const told: string[] = [];
  const refs = await RunRefs.raise(git, 'r', 1, { commonDir, report: (what) => told.push(what) });
  onTestFinished(() => refs.close());
  const open = async (tips: readonly string[] = []) => {
    const objects = await openVerifiedObjects(repository, git, temporaryFolder(), commit, tips);
    onTestFinished(() => objects.remove());
    return objects;
  };
  const settings = await readCheckoutSettings(repository);
  const source = { repository, scratch: await open(), settings };
  await refs.set('refs/heads/joinery/r/one', commit);
  return { made, repository, commonDir, folder, wanted, git, refs, told, source, open };
}

describe('a worktree', () => {
  test('is locked, at the requested commit and on the requested branch', async () => {
    const { made, repository, wanted, source } = await place();
    await createWorktree(source, wanted);
    const inside = new GitRepository({ dir: wanted.path });
    expect(made.git('worktree', 'list', '--porcelain')).toContain('locked');
    expect(inside.git('rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD')).toBe(
      `${wanted.commit}\nrefs/heads/${wanted.branch}`,
    );
    expect(inside.git('status', '--porcelain', '--ignored')).toBe('');
    expect(readdirSync(wanted.path).sort()).toEqual(['.git', '.gitignore', 'a.txt']);
    expect(await readWorktreeHead(repository, wanted.path)).toMatchObject({
      branch: `refs/heads/${wanted.branch}`,
    });
  });

  test('replaces whatever is in its place, half-made worktrees included', async () => {
    const { repository, wanted, source } = await place();
    mkdirSync(join(wanted.path, 'rubbish'), { recursive: true });
    await createWorktree(source, wanted);
    const admin = join(repository.commonDir, 'worktrees', 'one');
    writeFileSync(join(admin, 'locked'), 'initializing');
    writeFileSync(join(wanted.path, '.git'), 'gitdir: /nowhere\n');
    writeFileSync(join(wanted.path, 'a.txt'), 'b\n');
    await createWorktree(source, wanted);
    expect(new GitRepository({ dir: wanted.path }).git('status', '--porcelain', '--ignored')).toBe('');
    expect(readdirSync(join(repository.commonDir, 'worktrees'))).toHaveLength(1);
  });

  test('leaves nothing behind when it is removed, locked or not', async () => {
    const { repository, wanted, folder, source } = await place();
    await createWorktree(source, wanted);
    expect(await worktreesBelow(repository, folder)).toEqual([wanted.path]);
    await removeWorktree(repository, wanted.path);
    await removeWorktree(repository, wanted.path);
    expect(existsSync(wanted.path)).toBe(false);
    expect(await worktreesBelow(repository, folder)).toEqual([]);
    const admin = join(repository.commonDir, 'worktrees');
    expect(existsSync(admin) ? readdirSync(admin) : []).toEqual([]);
  });

  test.each([
    ['before it locked the entry', () => {}],
    [
      'after it locked the entry',
      (entry: string, reason: string) => writeFileSync(join(entry, 'locked'), reason),
    ],
  ])('leaves nothing behind when git is killed %s', async (_, cutOff) => {
    const { repository, wanted, folder, source } = await place();
    await createWorktree(source, wanted);
    const entry = join(repository.commonDir, 'worktrees', 'one');
    const reason = readFileSync(join(entry, 'locked'), 'utf8');
    rmSync(entry, { recursive: true });
    rmSync(join(wanted.path, '.git'));
    mkdirSync(entry);
    cutOff(entry, reason);
    const other = join(repository.commonDir, 'worktrees', 'one1');
    mkdirSync(other);
    writeFileSync(join(other, 'locked'), reason.replace(wanted.path, `${wanted.path}/of/another/run/one`));
    for (const path of await worktreesBelow(repository, folder)) await removeWorktree(repository, path);
    expect(readdirSync(join(repository.commonDir, 'worktrees'))).toEqual(['one1']);
  });

  test('is removed only while its holder may do so', async () => {
    const { wanted, source } = await place();
    await createWorktree(source, wanted);
    writeFileSync(join(wanted.path, 'work.txt'), 'of a successor');
    const mayRemove = async () => {
      throw new Error('fenced');
    };
    await expect(createWorktree({ ...source, mayRemove }, wanted)).rejects.toThrow('fenced');
    expect(readFileSync(join(wanted.path, 'work.txt'), 'utf8')).toBe('of a successor');
  });

  test('never removes another worktree of the same name', async () => {
    const { repository, wanted, folder, source } = await place();
    const stay = async (name: string) => {
      for (let round = 0; round < 8; round++) {
        const path = join(folder, name, 'same');
        await createWorktree(source, { ...wanted, path, branch: null });
        const status = new GitRepository({ dir: path }).git('status', '--porcelain', '--ignored');
        expect(status, `${name}, round ${round}`).toBe('');
        await removeWorktree(repository, path);
      }
    };
    await Promise.all(['left', 'right', 'middle'].map(stay));
    const admin = join(repository.commonDir, 'worktrees');
    expect(existsSync(admin) ? readdirSync(admin) : []).toEqual([]);
  });
});

describe('a worktree that its agent has manipulated', () => {
  test('does not make git wait for a pipe in the place of the packed refs', async () => {
    const { repository } = await place();
    const git = new Git({ cwd: repository.commonDir });
    expect((await readRefSnapshot(repository, git)).refs.size).toBeGreaterThan(0);
    execFileSync('mkfifo', [join(repository.commonDir, 'packed-refs')]);
    await expect(readRefSnapshot(repository, git)).rejects.toMatchObject({ code: 'damaged-repository' });
    rmSync(join(repository.commonDir, 'packed-refs'));
  });

  test.each([
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a device without end', (path: string) => symlinkSync('/dev/zero', path)],
  ])("keeps no reader waiting with %s in the place of git's files", async (_what, put) => {
    const { repository, source, wanted } = await place();
    await createWorktree(source, wanted);
    const entry = join(repository.commonDir, 'worktrees', 'one');
    for (const file of ['logs/HEAD', 'HEAD', 'gitdir']) {
      rmSync(join(entry, file));
      put(join(entry, file));
      expect((await readWorktreeHead(repository, wanted.path))?.moves ?? []).toEqual([]);
      expect(await recentMoves(entry, 'HEAD')).toEqual([]);
    }
  });

  test("runs no program that was added to the repository's settings since", async () => {
    const { made, wanted, source } = await place();
    const trap = join(temporaryFolder(), 'sprung');
    for (const key of ['filter.evil.smudge', 'filter.evil.clean', 'core.fsmonitor'])
      made.git('config', key, `touch ${trap}; cat`);
    made.write({ '.git/info/attributes': '* filter=evil\n' });
    await createWorktree(source, wanted);
    await createWorktree(source, wanted);
    expect(existsSync(trap)).toBe(false);
    expect(readFileSync(join(wanted.path, 'a.txt'), 'utf8')).toBe('a\n');
  });

  test("is removed as the link that replaced it; the link's target stays", async () => {
    const { made, repository, wanted, source } = await place();
    await createWorktree(source, wanted);
    renameSync(wanted.path, `${wanted.path}-moved`);
    symlinkSync(made.dir, wanted.path);
    await removeWorktree(repository, wanted.path);
    expect(existsSync(wanted.path)).toBe(false);
    expect(readFileSync(join(made.dir, 'a.txt'), 'utf8')).toBe('a\n');
  });

  test('is not removed below a link', async () => {
    const { made, repository, folder, wanted, source } = await place();
    await createWorktree(source, wanted);
    rmSync(folder, { recursive: true });
    mkdirSync(join(made.dir, 'one'));
    symlinkSync(made.dir, folder);
    await expect(removeWorktree(repository, wanted.path)).rejects.toMatchObject({
      code: 'unreadable-worktree',
    });
    expect(existsSync(join(made.dir, 'one'))).toBe(true);
  });

  test("never removes a worktree of a person, whatever git's entries say", async () => {
    const { made, repository, wanted, source } = await place();
    const mine = join(temporaryFolder(), 'mine');
    made.git('worktree', 'add', '-q', '--detach', mine);
    await createWorktree(source, wanted);
    writeFileSync(join(made.dir, '.git/worktrees/mine/gitdir'), `${wanted.path}/.git\n`);
    await removeWorktree(repository, wanted.path);
    expect(existsSync(join(made.dir, '.git/worktrees/mine/HEAD'))).toBe(true);
  });
});

describe('a merge onto a commit', () => {
  const merge = { message: 'merge', at: '2030-01-01T00:00:00.000Z' };

  test('gives the same commit when it is repeated', async () => {
    const { made, wanted, open } = await place();
    const one = made.branch('one', { 'one.txt': '1' });
    const two = made.branch('two', { 'two.txt': '2' });
    const objects = await open([one, two]);
    const first = await mergeOnto(objects, wanted.commit, one, merge);
    expect(await mergeOnto(objects, wanted.commit, one, merge)).toEqual(first);
    expect(await mergeOnto(objects, first.head, one, merge)).toEqual(first);
    const second = await mergeOnto(objects, first.head, two, merge);
    expect(made.git('ls-tree', '--name-only', second.head)).toContain('two.txt');
  });

  test('names the paths that do not merge', async () => {
    const { made, open } = await place();
    const one = made.branch('one', { 'a.txt': '1\n' });
    const two = made.branch('two', { 'a.txt': '2\n' });
    expect(await mergeOnto(await open([one, two]), one, two, merge)).toEqual({
      status: 'conflict',
      head: one,
      paths: ['a.txt'],
    });
  });

  test("runs no program that the repository's settings name", async () => {
    const { made, open } = await place();
    const one = made.branch('one', { 'a.txt': '1\n' });
    const two = made.branch('two', { 'a.txt': '2\n' });
    const objects = await open([one, two]);
    const trap = join(temporaryFolder(), 'sprung');
    made.git('config', 'merge.evil.driver', `touch ${trap}`);
    made.write({ '.git/info/attributes': '* merge=evil\n' });
    expect(await mergeOnto(objects, one, two, merge)).toMatchObject({ status: 'conflict' });
    expect(existsSync(trap)).toBe(false);
  });
});

describe('refs of a run', () => {
  test('move only from the value that was seen', async () => {
    const { made, wanted, refs } = await place();
    const one = made.branch('one', { 'one.txt': '1' });
    expect(await refs.move('refs/heads/x', wanted.commit, null)).toBe(true);
    expect(await refs.move('refs/heads/x', one, one)).toBe(false);
    expect(await refs.move('refs/heads/x', one, wanted.commit)).toBe(true);
  });

  test.each(['refs/heads/joinery/r/one', 'refs/joinery/r/fence'])(
    'a lock that a killed git left on %s is removed and reported',
    async (ref) => {
      const { made, refs, commonDir, told } = await place();
      const other = made.branch('two', { 'two.txt': '2' });
      const lock = join(commonDir, `${ref}.lock`);
      mkdirSync(dirname(lock), { recursive: true });
      writeFileSync(lock, '');
      utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
      await refs.set('refs/heads/joinery/r/one', other);
      expect(made.git('rev-parse', 'joinery/r/one')).toBe(other);
      expect(told).toEqual([expect.stringContaining(basename(lock))]);
    },
  );

  test('wait for a lock that is held for a moment', async () => {
    const { made, refs, commonDir, told } = await place();
    const other = made.branch('two', { 'two.txt': '2' });
    const lock = join(commonDir, 'refs/heads/joinery/r/one.lock');
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '');
    setTimeout(() => rmSync(lock), 300);
    await refs.set('refs/heads/joinery/r/one', other);
    expect(made.git('rev-parse', 'joinery/r/one')).toBe(other);
    expect(told).toEqual([]);
  });

  test('a lock on a ref of the user is never removed; after a while the error names it', async () => {
    const { wanted, refs, commonDir, told } = await place();
    const lock = join(commonDir, 'refs/heads/theirs.lock');
    writeFileSync(lock, '');
    utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    await expect(refs.set('refs/heads/theirs', wanted.commit)).rejects.toMatchObject({
      code: 'ref-locked',
      exitCode: 5,
      hint: expect.stringContaining('theirs.lock'),
    });
    expect(told).toEqual([expect.stringContaining('waiting for another git')]);
    expect(existsSync(lock)).toBe(true);
  });

  test('a fence that an agent moved is restored; a missing one ends the holder', async () => {
    const { made, wanted, refs } = await place();
    for (const garbage of ['0\n', 'nonsense']) {
      const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: made.dir, input: garbage });
      made.git('update-ref', 'refs/joinery/r/fence', blob.toString().trim());
      await refs.assertHeld();
      await refs.set('refs/heads/x', wanted.commit);
    }
    made.git('update-ref', '-d', 'refs/joinery/r/fence');
    await expect(refs.set('refs/heads/y', wanted.commit)).rejects.toMatchObject({ code: 'fenced' });
  });

  test('do not move for a holder that was replaced', async () => {
    const { made, git, wanted, refs, commonDir } = await place();
    const newer = await RunRefs.raise(git, 'r', 2, { commonDir });
    await expect(refs.set('refs/heads/x', wanted.commit)).rejects.toMatchObject({ code: 'fenced' });
    await expect(RunRefs.raise(git, 'r', 1, { commonDir })).rejects.toMatchObject({ code: 'fenced' });
    await newer.set('refs/heads/x', wanted.commit);
    newer.close();
    expect(made.git('rev-parse', 'x')).toBe(wanted.commit);
  });
});

test('a semaphore limits how many run at a time, and continues after a failure', async () => {
  const semaphore = new Semaphore(2);
  let inside = 0;
  let most = 0;
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, (_, n) =>
      semaphore.pass(async () => {
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
