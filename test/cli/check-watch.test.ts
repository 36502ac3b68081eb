import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { executable, joinery, temporaryFolder } from '../support/joinery.ts';
import { Watching } from '../support/watching.ts';

const api = { 'app/__init__.py': '', 'app/api.py': 'def get(id):\n    return id\n', '.gitignore': 'out/\n' };
const renamed = 'def fetch(id):\n    return id\n';
const uses = 'from app.api import get\n\nget(1)\n';

/** Branches a and b, each in its own worktree. */
function crew() {
  const repository = new GitRepository();
  repository.commit(api);
  const folder = temporaryFolder();
  const [a, b] = ['a', 'b'].map((name) => {
    repository.git('worktree', 'add', '-q', '-b', name, join(folder, name));
    return new GitRepository({ dir: join(folder, name) });
  }) as [GitRepository, GitRepository];
  return { repository, a, b };
}

function watchIn(repository: GitRepository, env: Record<string, string> = {}, ...args: string[]): Watching {
  const places = { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() };
  const watching = new Watching(executable, args, repository.dir, { ...places, ...env });
  onTestFinished(() => watching.kill());
  return watching;
}

const idsOf = (findings: readonly { id: string }[]) => findings.map(({ id }) => id);

describe('joinery check --watch', () => {
  test('reports what uncommitted work, commits and new branches add and fix; Ctrl-C exits with the code of the last state', async () => {
    const { repository, a, b } = crew();
    b.commit({ 'app/use.py': uses });
    const watching = watchIn(repository);
    expect(await watching.next()).toMatchObject({ status: 'pass', changed: ['main', 'b'], new: [], open: 0 });

    a.write({ 'app/api.py': renamed });
    const first = await watching.next();
    expect(first).toMatchObject({ status: 'fail', new: [{ rule: 'S02' }], gone: [], open: 1 });
    expect(first.changed).toContain(a.dir);

    // Committing what is already known is nothing new; then a commit that fixes it.
    const before = fingerprint(repository.dir);
    b.write({ 'app/use.py': 'from app.api import fetch\n\nfetch(1)\n' });
    const second = await watching.next();
    expect(second).toMatchObject({ status: 'pass', new: [], open: 0 });
    expect(idsOf(second.gone)).toEqual(idsOf(first.new));
    expect(fingerprint(repository.dir)).toEqual(before);

    // A branch that is not checked out, and then a folder that did not exist.
    a.commit({}, 'rename');
    repository.branch('c', { 'app/other.py': uses });
    expect(await watching.next()).toMatchObject({ status: 'fail', new: [{ branches: ['a', 'c'] }] });
    b.write({ 'app/deep/er/use.py': uses });
    const third = await watching.next();
    expect(third).toMatchObject({ status: 'fail', open: 2, gone: [] });
    repository.git('branch', '-q', '-D', 'c');
    expect(await watching.next()).toMatchObject({
      status: 'fail',
      open: 1,
      gone: [{ branches: ['a', 'c'] }],
    });
    expect(watching.waiting).toBe(0);
    expect(await watching.interrupt()).toBe(1);
  });

  test('polls where the system sends no events, and prints nothing if nothing changes', async () => {
    const { repository, a, b } = crew();
    a.commit({ 'app/api.py': renamed });
    const watching = watchIn(repository, { JOINERY_WATCH: 'poll' });
    expect(await watching.next()).toMatchObject({ status: 'pass' });
    await watching.said('polling every second');
    b.write({ 'app/use.py': 'x = 1\n', 'out/built.py': uses });
    b.write({ 'app/use.py': uses });
    expect(await watching.next()).toMatchObject({ status: 'fail', open: 1 });
    rmSync(join(b.dir, 'app/use.py'));
    expect(await watching.next()).toMatchObject({ status: 'pass', open: 0 });
    expect(await watching.interrupt()).toBe(0);
  });

  test('continues after a failed check', async () => {
    const { repository, a } = crew();
    const watching = watchIn(repository, {}, 'main', 'a', 'b');
    await watching.next();
    repository.git('update-ref', '-d', 'refs/heads/b');
    await watching.said('the check failed: there is no branch');
    repository.branch('b', { 'app/use.py': uses });
    a.commit({ 'app/api.py': renamed });
    expect(await watching.next()).toMatchObject({ status: 'fail', open: 1 });
    expect(await watching.interrupt()).toBe(1);
  });

  test('accepts no other format than lines', async () => {
    const dir = temporaryFolder();
    writeFileSync(join(dir, 'x'), '');
    const outcome = await joinery(['check', '--watch', '--format', 'sarif'], { cwd: dir });
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('--format sarif') });
  });
});
