import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { executable, joinery, temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

/** A base that has moved, a conflict, a clash, and a worktree with staged, unstaged and untracked work. */
function busyRepository(): { repository: GitRepository; worktree: string; home: string } {
  const home = temporaryFolder();
  mkdirSync(join(home, 'repo'));
  const repository = new GitRepository({ dir: join(home, 'repo') });
  repository.git('init', '-q', '-b', 'main', '.');
  repository.commit({
    'app/__init__.py': '',
    'app/api.py': 'def get(id):\n    return id\n',
    'src/api.ts': 'export function get(id: string) {\n  return id;\n}\n',
  });
  repository.branch('a', { 'app/api.py': 'def fetch(id):\n    return id\n' });
  repository.branch('b', {
    'app/use.py': 'from app.api import get\n\nget(1)\n',
    'src/use.ts': "import { get } from './api';\n\nget('1');\n",
  });
  repository.branch('c', { 'app/api.py': 'def get(id, other):\n    return id\n' });
  repository.commit({ 'README.md': 'moved\n' });
  const worktree = join(home, 'tree');
  repository.git('worktree', 'add', '-q', '-b', 'd', worktree, 'main');
  const dirty = new GitRepository({ dir: worktree });
  dirty.write({ 'staged.py': 'x = 1\n', 'app/api.py': 'def get(id):\n    return [id]\n' });
  dirty.git('add', 'staged.py');
  dirty.write({ 'untracked.py': 'y = 2\n' });
  return { repository, worktree, home };
}

describe('check leaves the repository unchanged', () => {
  test('byte for byte, including .git and worktrees', async () => {
    const { repository, worktree, home } = busyRepository();
    const before = fingerprint(home);
    const cache = temporaryFolder();
    const outcome = await joinery(['check', 'main', 'a', 'b', 'c', worktree, '--json'], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: cache },
    });
    expect(outcome.stderr).toBe('');
    expect(JSON.parse(outcome.stdout).status).toBe('fail');
    const all = await joinery(['check', '--json'], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: cache },
    });
    expect({ code: all.code, stderr: all.stderr }).toEqual({ code: 1, stderr: '' });
    expect(fingerprint(home)).toEqual(before);
  });

  test('also if it is killed midway', async () => {
    const { repository, worktree, home } = busyRepository();
    const before = fingerprint(home);
    const { numRuns, seed } = sample('SIGKILL during check', { normal: 5, wide: 20, soak: 100 });
    const cache = temporaryFolder();
    const whole = performance.now();
    await joinery(['check', 'main', 'a', 'b', 'c', worktree], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: temporaryFolder() },
    });
    const duration = performance.now() - whole;
    for (let run = 0; run < numRuns; run++) {
      const child = spawn(process.execPath, [executable, 'check', 'main', 'a', 'b', 'c', worktree], {
        cwd: repository.dir,
        env: { ...process.env, JOINERY_CACHE_DIR: cache },
        stdio: 'ignore',
      });
      const ended = new Promise((resolve) => child.once('close', resolve));
      // Spread over the whole run; the seed shifts the points.
      await sleep(((run + (seed % 97) / 97) / numRuns) * duration);
      child.kill('SIGKILL');
      await ended;
    }
    expect(fingerprint(home)).toEqual(before);
    const after = await joinery(['check', 'main', 'a', 'b', 'c', worktree, '--json'], {
      cwd: repository.dir,
      env: { JOINERY_CACHE_DIR: cache },
    });
    expect({ code: after.code, stderr: after.stderr }).toEqual({ code: 1, stderr: '' });
    expect(fingerprint(home)).toEqual(before);
  }, 400_000);
});
