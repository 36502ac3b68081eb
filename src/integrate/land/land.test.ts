import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Git } from '#git/call/git.ts';
import { openRepository } from '#git/call/repository.ts';
import type { LandingOutcome } from '#integrate/land/land.ts';
import { finishLandings, land } from '#integrate/land/land.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { realGit } from '#test/support/kill-inside.ts';
import type { LandingOrder } from '#test/support/landing-child.ts';
import { chance } from '#test/support/seed.ts';
import { whileLanding } from './landing-lock.ts';

const script = fileURLToPath(new URL('../../../test/support/landing-child.ts', import.meta.url));

interface Ended {
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  readonly outcome: LandingOutcome | null;
}

/** A landing in a process group of its own, so that it can be killed with its git. */
function landing(order: LandingOrder, path = process.env.PATH) {
  const child = spawn(process.execPath, [script], {
    detached: true,
    env: { ...process.env, PATH: path },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(order));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (_code, signal) =>
      resolve({ signal, stderr, outcome: stdout === '' ? null : JSON.parse(stdout) }),
    );
  });
  const kill = (whom: 'process' | 'group') => {
    try {
      process.kill(whom === 'group' ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  return { ended, kill };
}

async function landHere(repository: GitRepository, from: string, to: string, isBack = false) {
  const opened = await openRepository(repository.dir);
  return land(opened, new Git({ cwd: opened.commonDir }), {
    ref: 'refs/heads/main',
    from,
    to,
    isProtected: false,
    mayUpdateCheckout: true,
    isBack,
  });
}

async function finish(repository: GitRepository): Promise<string[]> {
  return finishLandings(await openRepository(repository.dir));
}

/** Contents by path; many files, so that moving them takes a while. */
function manyFiles(count: number, word: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`src/${n % 40}/file-${n}.txt`, `${word} ${n}\n`.repeat(20)]),
  );
}

/** main with its checkout, and a commit to land on it. */
function project(count: number): { repository: GitRepository; before: string; after: string } {
  const repository = new GitRepository();
  const before = repository.commit({
    ...manyFiles(count, 'old'),
    'gone.txt': 'gone\n',
    'kept.txt': 'kept\n',
  });
  const after = repository.branch('feat', {
    ...manyFiles(count, 'new'),
    'gone.txt': null,
    'added/a.txt': 'a\n',
  });
  return { repository, before, after };
}

const isClean = (repository: GitRepository) => repository.git('status', '--porcelain', '--ignored');
const leftovers = (repository: GitRepository) =>
  ['index.lock', 'joinery-landing', 'joinery-landing-index', 'joinery-landing-index.lock'].filter((name) =>
    existsSync(join(repository.dir, '.git', name)),
  );

/** A `git` that runs a shell command in front of its n-th call; n = 0: it only counts. */
function meddlingGit(command: string, when: string): { path: string; calls: () => number } {
  const folder = temporaryFolder();
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin', 'git'),
    `#!/bin/sh\nprintf x >> '${calls}'\nn=$(wc -c < '${calls}')\nif ${when}; then (${command}) >/dev/null 2>&1; fi\nexec '${realGit}' "$@"\n`,
  );
  chmodSync(join(folder, 'bin', 'git'), 0o755);
  return {
    path: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    calls: () => readFileSync(calls, 'utf8').length,
  };
}

/** A person's commit of one new file, with the real git. */
const commits = (dir: string) =>
  `cd '${dir}' && env -u GIT_INDEX_FILE PATH="${process.env.PATH}" sh -c 'echo mine > person.txt && git add person.txt && git -c user.name=p -c user.email=p@localhost commit -qm mine'`;

describe('a landing', () => {
  test.each([false, true])('moves branch, index and files together (back: %s)', async (isBack) => {
    const { repository, before, after } = project(5);
    expect(await landHere(repository, before, after)).toEqual({ status: 'landed' });
    expect(repository.git('rev-parse', 'HEAD')).toBe(after);
    expect(isClean(repository)).toBe('');
    expect(repository.git('reflog', '-1', 'main')).toContain('joinery: land');
    if (!isBack) return;
    expect(await landHere(repository, after, before, true)).toEqual({ status: 'landed' });
    expect(repository.git('rev-parse', 'HEAD')).toBe(before);
    expect(isClean(repository)).toBe('');
    expect(leftovers(repository)).toEqual([]);
  });

  test('overwrites no untracked file, not even an ignored one', async () => {
    const { repository, before } = project(2);
    const after = repository.branch('env', { '.env': 'TOKEN=theirs\n' });
    repository.write({ '.git/info/exclude': '.env\n', '.env': 'TOKEN=mine\n' });
    expect(await landHere(repository, before, after)).toMatchObject({
      status: 'kept',
      reason: expect.stringContaining('.env'),
    });
    expect(readFileSync(join(repository.dir, '.env'), 'utf8')).toBe('TOKEN=mine\n');
    expect(repository.git('rev-parse', 'main')).toBe(before);
    expect(leftovers(repository)).toEqual([]);
  });

  test('waits for another landing, a bounded time', async () => {
    const { repository } = project(1);
    const opened = await openRepository(repository.dir);
    await whileLanding(opened, async () => {
      await expect(whileLanding(opened, async () => 'in', 60)).rejects.toMatchObject({
        code: 'landing-held',
        exitCode: 5,
      });
    });
    expect(await whileLanding(opened, async () => 'in', 60)).toBe('in');
  });

  test('keeps out while another git holds the index, and says which file', async () => {
    const { repository, before, after } = project(1);
    writeFileSync(join(repository.dir, '.git', 'index.lock'), '');
    expect(await landHere(repository, before, after)).toMatchObject({
      status: 'kept',
      reason: expect.stringContaining('.git/index.lock'),
    });
    expect(repository.git('rev-parse', 'main')).toBe(before);
    expect(leftovers(repository)).toEqual(['index.lock']);
  }, 20_000);

  test('goes on where a plain git was killed in the middle of the same move', async () => {
    const { repository, before, after } = project(6);
    repository.git('checkout', after, '--', 'src/1/file-1.txt', 'src/2/file-2.txt');
    repository.git('reset', '-q');
    repository.write({ 'added/a.txt': 'a\n', 'gone.txt': null });
    expect(await landHere(repository, before, after)).toEqual({ status: 'landed' });
    expect(isClean(repository)).toBe('');
    repository.git('reset', '-q', '--hard', before);
    repository.git('checkout', after, '--', 'src/1/file-1.txt');
    repository.write({ 'src/2/file-2.txt': 'mine\n' });
    expect(await landHere(repository, before, after)).toMatchObject({ status: 'kept' });
    expect(readFileSync(join(repository.dir, 'src/2/file-2.txt'), 'utf8')).toBe('mine\n');
  });
});

describe('a person who commits during a landing or an undo', () => {
  test.each([false, true])(
    'loses nothing, in front of whichever git command it is (back: %s)',
    async (isBack) => {
      const { repository, before, after } = project(3);
      const [from, to] = isBack ? [after, before] : [before, after];
      const put = () => {
        repository.git('reset', '-q', '--hard', from);
        rmSync(join(repository.dir, 'person.txt'), { force: true });
      };
      put();
      const counted = meddlingGit(':', 'false');
      const order = { dir: repository.dir, from, to, isBack };
      expect(await landing(order, counted.path).ended).toMatchObject({ outcome: { status: 'landed' } });
      const seen = new Set<string>();
      for (let n = 1; n <= counted.calls(); n++) {
        put();
        const { path } = meddlingGit(commits(repository.dir), `[ "$n" -eq ${n} ]`);
        const { outcome, stderr } = await landing(order, path).ended;
        expect(stderr).toBe('');
        const isCommitted = repository.git('log', '--format=%s', '-1', 'main') === 'mine';
        seen.add(`${outcome?.status} ${isCommitted}`);
        // Their commit changes their file only: it was not made from the old files on the new branch.
        if (isCommitted) expect(repository.git('diff', '--name-only', 'main^', 'main')).toBe('person.txt');
        else expect(repository.git('rev-parse', 'main')).toBe(outcome?.status === 'landed' ? to : from);
        expect(readFileSync(join(repository.dir, 'person.txt'), 'utf8')).toBe('mine\n');
        expect(isClean(repository)).toMatch(/^(|\?\? person.txt|A {2}person.txt)$/);
        expect(leftovers(repository)).toEqual([]);
      }
      expect([...seen]).toEqual(expect.arrayContaining(['moved true', 'landed false']));
    },
    120_000,
  );

  test('even if their commit moves the branch in front of the very move', async () => {
    const { repository, before, after } = project(3);
    await landHere(repository, before, after);
    const mine = repository.git('commit-tree', '-p', after, '-m', 'mine', `${after}^{tree}`);
    const { path } = meddlingGit(
      `env PATH="${process.env.PATH}" git -C '${repository.dir}' update-ref refs/heads/main ${mine}`,
      `case "$*" in *reset*|*update-ref*) true;; *) false;; esac`,
    );
    const order = { dir: repository.dir, from: after, to: before, isBack: true };
    expect((await landing(order, path).ended).outcome).toEqual({ status: 'moved', now: mine });
    expect(repository.git('rev-parse', 'main')).toBe(mine);
    expect(isClean(repository)).toBe('');
  });
});

describe('kill -9', () => {
  test('while 2,500 files move: the next landing finishes it', async () => {
    const { repository, before, after } = project(2500);
    const next = repository.branch('next', { 'next.txt': 'next\n' }, 'feat');
    for (const whom of ['group', 'process'] as const) {
      repository.git('reset', '-q', '--hard', before);
      const { ended, kill } = landing({ dir: repository.dir, from: before, to: after });
      // Git has begun with the files.
      while (!existsSync(join(repository.dir, 'added/a.txt'))) await new Promise(setImmediate);
      kill(whom);
      expect((await ended).signal).toBe('SIGKILL');
      // A commit of the half-moved files is refused.
      expect(() => repository.git('commit', '-qam', 'half')).toThrow(/index.lock/);
      repository.write({ 'kept.txt': 'edited since\n', 'src/0/file-0.txt': 'edited since\n' });
      expect(await landHere(repository, after, next)).toMatchObject({
        status: 'kept',
        reason: expect.stringContaining('has changes'),
      });
      expect(isClean(repository).split('\n').sort()).toEqual([' M kept.txt', ' M src/0/file-0.txt']);
      repository.git('checkout', '-q', '.');
      expect(await landHere(repository, after, next)).toEqual({ status: 'landed' });
      expect(isClean(repository)).toBe('');
      expect(leftovers(repository)).toEqual([]);
    }
  }, 120_000);
});

const { count, next: random } = chance('two landings, a committing person and SIGKILL', {
  normal: 20,
  wide: 60,
  soak: 500,
});

test('two landings, a committing person and SIGKILL lose nothing', async () => {
  const repository = new GitRepository();
  const base = repository.commit({ ...manyFiles(120, 'old'), 'kept.txt': 'kept\n' });
  const tips = ['one', 'two'].map((name) =>
    repository.branch(name, { ...manyFiles(120, name), [`${name}.txt`]: name }),
  );
  for (let round = 0; round < count; round++) {
    repository.git('reset', '-q', '--hard', base);
    repository.git('clean', '-qfdx');
    const folder = temporaryFolder();
    const go = join(folder, 'go');
    const landings = tips.map((to, n) =>
      landing({ dir: repository.dir, from: base, to, barrier: { ready: join(folder, `ready-${n}`), go } }),
    );
    const person = spawn('sh', [
      '-c',
      `until test -e '${go}'; do sleep 0.01; done; sleep ${random() / 5}; ${commits(repository.dir)}`,
    ]);
    const personEnded = new Promise<number | null>((resolve) => person.once('close', resolve));
    for (const n of [0, 1])
      await expect.poll(() => existsSync(join(folder, `ready-${n}`)), { timeout: 30_000 }).toBe(true);
    const killed = random() < 0.5 ? landings[0] : landings[1];
    const at = performance.now() + random() * 250;
    writeFileSync(go, '');
    while (performance.now() < at) await new Promise(setImmediate);
    killed?.kill(random() < 0.5 ? 'group' : 'process');
    const ends = await Promise.all(landings.map(({ ended }) => ended));
    const hasCommitted = (await personEnded) === 0;
    await finish(repository);

    const story = JSON.stringify({ round, ends, hasCommitted });
    const contains = (commit: string) => repository.git('merge-base', commit, 'main') === commit;
    for (const [n, { outcome, stderr }] of ends.entries()) {
      expect(stderr, story).toBe('');
      if (outcome?.status === 'landed') expect(contains(tips[n] ?? ''), story).toBe(true);
    }
    expect(tips.filter(contains).length, story).toBeLessThanOrEqual(1);
    const mine = repository.git('log', '--format=%H', '--grep=^mine$', 'main');
    expect(mine !== '', story).toBe(hasCommitted);
    if (hasCommitted)
      expect(repository.git('diff', '--name-only', `${mine}^`, mine), story).toBe('person.txt');
    expect(isClean(repository), story).toMatch(hasCommitted ? /^$/ : /^(|(\?\?|A ) person.txt)$/);
    expect(leftovers(repository), story).toEqual([]);
  }
}, 3_000_000);
