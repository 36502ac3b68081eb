import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { passingGuide } from '../support/passing-tests.ts';

const api = { 'app/__init__.py': '', 'app/api.py': 'def get(id):\n    return id\n' };
const renames = { 'app/api.py': 'def fetch(id):\n    return id\n' };
const uses = { 'app/use.py': 'from app.api import get\n\nget(1)\n' };
const fits = { 'app/use.py': 'from app.api import fetch\n\nfetch(1)\n' };

async function check(cwd: string, ...args: string[]) {
  const outcome = await joinery(['check', '--json', ...args], {
    cwd,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
  const envelope = JSON.parse(outcome.stdout);
  const report = envelope.status === 'error' ? null : CheckReport.strict().parse(envelope);
  return { ...outcome, envelope, report };
}

function clashing(): GitRepository {
  const repository = new GitRepository();
  repository.commit(api);
  repository.branch('a', renames);
  repository.branch('b', uses);
  return repository;
}

describe('the branches to check', () => {
  test('are all unmerged ones if none is named', async () => {
    const repository = clashing();
    repository.branch('done', {});
    repository.git('merge', '-q', 'done');
    const { code, report } = await check(repository.dir);
    expect(code).toBe(1);
    expect(report?.base.ref).toBe('main');
    expect(report?.branches.map(({ ref }) => ref)).toEqual(['a', 'b']);
  });

  test('take --base, and then every argument is a branch', async () => {
    const { report } = await check(clashing().dir, '--base', 'main', 'a', 'b');
    expect(report?.branches.map(({ ref }) => ref)).toEqual(['a', 'b']);
    expect(report?.findings.map(({ rule, branches, owner }) => ({ rule, branches, owner }))).toEqual([
      { rule: 'S02', branches: ['a', 'b'], owner: 'b' },
    ]);
    expect(report?.landable).toEqual(['a']);
    expect(report?.blocked).toEqual([{ ref: 'b', by: [report?.findings[0]?.id] }]);
  });

  test('are compared with the default base if only one is named', async () => {
    const repository = clashing();
    const one = await check(repository.dir, 'a');
    expect(one.report).toMatchObject({ base: { ref: 'main' }, branches: [{ ref: 'a' }] });
    const all = await check(repository.dir, 'main');
    expect(all.report?.branches.map(({ ref }) => ref)).toEqual(['a', 'b']);
  });

  test('can be named by patterns, and branches of a remote by their own name', async () => {
    const origin = clashing();
    origin.branch('feat/deep/c', fits);
    origin.branch('feat/merged', {});
    origin.git('merge', '-q', 'feat/merged');
    const dir = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', origin.dir, dir], { stdio: 'ignore' });
    const refsOf = async (...args: string[]) =>
      (await check(dir, ...args)).report?.branches.map(({ ref }) => ref);
    expect(await refsOf('feat/*')).toEqual(['origin/feat/deep/c']);
    expect(await refsOf('origin/*')).toEqual(['origin/a', 'origin/b', 'origin/feat/deep/c']);
    expect(await refsOf('main', '[ab]')).toEqual(['origin/a', 'origin/b']);
    expect(await refsOf('main', 'a', 'b')).toEqual(['origin/a', 'origin/b']);
    const nothing = await check(dir, 'fix/*');
    expect(nothing).toMatchObject({
      code: 3,
      envelope: {
        error: { code: 'unknown-ref', message: expect.stringMatching(/^no unmerged branch matches/) },
      },
    });
    // Nothing says how this project is tested, so that nothing proves a result of integrate.
    for (const [command, expected] of Object.entries({ risk: 0, integrate: 2, backtest: 0 })) {
      const { code, stderr } = await joinery([command, 'feat/deep/c'], {
        cwd: dir,
        env: { JOINERY_STATE_DIR: temporaryFolder() },
      });
      expect({ command, code, stderr }).toMatchObject({
        code: expected,
        stderr: expect.not.stringContaining('named'),
      });
    }
    const mistyped = await check(dir, 'feta/deep/c');
    expect(mistyped).toMatchObject({
      code: 3,
      envelope: { error: { hint: 'did you mean feat/deep/c?' } },
    });
  });

  test('start with the base; where that is not the default branch, the report says so', async () => {
    const repository = clashing();
    repository.git('tag', 'v1', 'a');
    const hinted = async (...args: string[]) => {
      const { stdout } = await joinery(['check', '--confirm', 'none', ...args], { cwd: repository.dir });
      return /joinery check --base main .*/.exec(stdout.replaceAll(/\s+/g, ' '))?.[0].slice(0, 29) ?? null;
    };
    expect(await hinted('a', 'b')).toBe('joinery check --base main a b');
    expect(await hinted('main', 'a', 'b')).toBeNull();
    expect(await hinted('--base', 'a', 'b')).toBeNull();
    expect(await hinted('v1', 'b')).toBeNull();
    expect(await hinted('b')).toBeNull();
  });

  test('are landed without a checkout by the command that the report of a bare repository ends with', async () => {
    const repository = new GitRepository();
    repository.commit({ 'a.txt': 'a\n', ...passingGuide });
    repository.branch('feat/b', { 'b.txt': 'b\n' });
    const bare = new GitRepository({ bare: true });
    bare.git('fetch', '-q', repository.dir, 'refs/heads/*:refs/heads/*');
    const env = { JOINERY_STATE_DIR: temporaryFolder() };
    const { stdout } = await joinery(['check'], { cwd: bare.dir, env });
    const [, command = ''] = /^ {2}joinery (.*)$/m.exec(stdout) ?? [];
    expect(await joinery(command.split(' '), { cwd: bare.dir, env })).toMatchObject({ code: 0 });
    expect(bare.git('ls-tree', '--name-only', 'main').split('\n')).toContain('b.txt');
  });

  test.each(['check', 'gates', 'backtest'])(
    'cannot exist before the first commit, says %s',
    async (command) => {
      const { code, stderr } = await joinery([command], { cwd: new GitRepository().dir });
      expect(code).toBe(3);
      expect(stderr).toBe(
        'joinery: this repository has no commit yet. Next: make the first one: git commit\n',
      );
    },
  );

  test('leave out a branch without common history that was not typed, and name it', async () => {
    const repository = clashing();
    repository.git('checkout', '-q', '--orphan', 'gh-pages');
    repository.commit({ 'index.html': 'x' });
    repository.git('checkout', '-q', 'main');
    const { code, report } = await check(repository.dir);
    expect(code).toBe(1);
    expect(report?.branches.map(({ ref }) => ref)).toEqual(['a', 'b']);
    expect(report?.degraded).toMatchObject([
      { check: 'branches', reason: expect.stringContaining('gh-pages') },
    ]);
    const typed = await check(repository.dir, 'main', 'a', 'gh-pages');
    expect(typed).toMatchObject({ code: 3, envelope: { error: { code: 'no-common-history' } } });
  });

  test('are those with the newest commits if there are many, and the report says how many it left out', async () => {
    const repository = clashing();
    for (const [index, name] of ['a', 'b', 'old'].entries()) {
      repository.git(
        'checkout',
        '-q',
        name === 'old' ? '-b' : name,
        ...(name === 'old' ? ['old', 'main'] : []),
      );
      const date = `20${20 - index}-01-01T00:00:00Z`;
      const dates = { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
      repository.pipe('', ['commit', '-q', '--allow-empty', '-m', 'x'], dates);
    }
    repository.git('checkout', '-q', 'main');
    const newest = await check(repository.dir, '--newest', '2');
    expect(newest.report?.branches.map(({ ref }) => ref)).toEqual(['a', 'b']);
    expect(newest.report?.degraded).toMatchObject([
      { check: 'branches', reason: expect.stringMatching(/^left out: 1 /) },
    ]);
    expect(newest.stderr).toContain('3 branches: checking the 2 with the newest commits');
    for (const wanted of [
      ['--newest', 'all'],
      ['--newest', '3'],
      ['main', 'a', 'b', 'old', '--newest', '1'],
    ])
      expect((await check(repository.dir, ...wanted)).report?.branches).toHaveLength(3);
    const pattern = await check(repository.dir, '*', '--newest', '1');
    expect(pattern.report?.branches.map(({ ref }) => ref)).toEqual(['a']);
    expect(await check(repository.dir, '--newest', 'some')).toMatchObject({
      code: 3,
      envelope: { error: { code: 'bad-newest' } },
    });
  });

  test('of a fresh clone are suggested', async () => {
    const dir = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', clashing().dir, dir], { stdio: 'ignore' });
    const { code, stderr } = await check(dir);
    expect(code).toBe(0);
    expect(stderr).toContain("2 remote ones: joinery check 'origin/*'");
  });

  test('give the same finding ids however they are spelled', async () => {
    const origin = clashing();
    const dir = join(temporaryFolder(), 'clone');
    execFileSync('git', ['clone', '-q', '-b', 'b', origin.dir, dir], { stdio: 'ignore' });
    const idsOf = async (cwd: string, ...args: string[]) =>
      (await check(cwd, ...args)).report?.findings.map(({ id, witness }) => [id, witness.command]);
    const ids = await idsOf(origin.dir, 'main', 'a', 'b');
    expect(ids).toHaveLength(1);
    for (const [a, b] of [
      ['origin/a', 'origin/b'],
      ['refs/remotes/origin/a', 'refs/heads/b'],
      ['a', 'HEAD'],
      ['a', '.'],
    ] as const)
      expect(await idsOf(dir, 'origin/main', a, b), `${a} ${b}`).toEqual(ids);
  });

  test.each(['sha1', 'sha256'])(
    'have the union that git makes of them, in a repository of %s',
    async (format) => {
      const repository = new GitRepository({ format });
      const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
      const withLine = (at: number) => `${lines.with(at, 'changed').join('\n')}\n`;
      repository.commit({
        'a/shared.txt': `${lines.join('\n')}\n`,
        'a/b/old.txt': 'old\n',
        'keep.txt': 'k\n',
      });
      // The first two share a file, so git merges them; the others are added to the result.
      repository.branch('top', { 'a/shared.txt': withLine(0) });
      repository.branch('end', { 'a/shared.txt': withLine(19), 'a/end.txt': 'end\n' });
      repository.branch('gone', { 'a/b/old.txt': null });
      repository.branch('new', { 'a/c/d/new.txt': 'new\n', 'a.txt': 'beside a\n' });
      const { report } = await check(repository.dir, 'main', 'top', 'end', 'gone', 'new');
      const base = repository.git('rev-parse', 'main');
      const union = ['end', 'gone', 'new'].reduce((left, right) => {
        const tree = repository.git('merge-tree', '--write-tree', left, right);
        return repository.git('commit-tree', '-m', 'union', '-p', base, tree);
      }, 'top');
      expect(report?.union.tree).toBe(repository.git('rev-parse', `${union}^{tree}`));
    },
  );

  test('may be a single one: base has moved since it forked', async () => {
    const repository = clashing();
    repository.git('merge', '-q', '--ff-only', 'a');
    const { code, report } = await check(repository.dir, 'main', 'b');
    expect(code).toBe(1);
    expect(report?.findings.map(({ branches, owner, rule }) => ({ branches, owner, rule }))).toEqual([
      { branches: ['b', 'main'], owner: 'b', rule: 'S02' },
    ]);
  });

  test('that clash with base are not blamed on another pair for the same cause', async () => {
    const repository = clashing();
    repository.git('merge', '-q', '--ff-only', 'a');
    repository.branch('c', { 'app/other.py': 'from app.api import fetch\n\nfetch(2)\n' });
    const { report } = await check(repository.dir, 'main', 'b', 'c');
    expect(report?.findings.map(({ branches }) => branches)).toEqual([['b', 'main']]);
    expect(report?.landable).toEqual(['c']);
  });

  test('are listed as empty, merged or duplicate if there is nothing to check', async () => {
    const repository = clashing();
    repository.git('branch', 'same', 'main');
    repository.git('branch', 'twin', 'b');
    repository.branch('nothing', {});
    repository.branch('picked', { 'x.py': 'x = 1\n' });
    repository.commit({ 'x.py': 'x = 1\n' });
    const { report } = await check(repository.dir, 'main', 'same', 'b', 'twin', 'nothing', 'picked');
    expect(report?.branches.map(({ ref, state }) => [ref, state])).toEqual([
      ['same', 'merged'],
      ['b', 'checked'],
      ['twin', 'duplicate'],
      ['nothing', 'empty'],
      ['picked', 'merged'],
    ]);
    const { report: equal } = await check(repository.dir, 'main', 'main');
    expect(equal?.branches[0]?.state).toBe('empty');
  });

  test('may be worktrees with uncommitted work', async () => {
    const repository = clashing();
    const tree = join(temporaryFolder(), 'tree');
    repository.git('worktree', 'add', '-q', '-b', 'w', tree, 'main');
    writeFileSync(join(tree, 'app', 'use.py'), uses['app/use.py']);
    const named = await check(repository.dir, 'main', 'a', tree);
    expect(named.report?.findings.map(({ branches }) => branches)).toEqual([[tree, 'a'].sort()]);
    const all = await check(repository.dir);
    expect(all.report?.branches.map(({ ref }) => ref)).toEqual(['a', 'b', tree]);
    const inside = await check(tree, 'main', 'a', '.');
    expect(inside.report?.findings).toHaveLength(1);
  });

  test('may live in a bare repository', async () => {
    const repository = clashing();
    const bare = join(temporaryFolder(), 'bare.git');
    repository.git('clone', '-q', '--bare', '.', bare);
    expect((await check(bare, 'main', 'a', 'b')).code).toBe(1);
  });

  test('pass when they fit', async () => {
    const repository = new GitRepository();
    repository.commit(api);
    repository.branch('a', { ...renames, ...fits });
    repository.branch('b', { 'app/more.py': 'x = 1\n' });
    const { code, report } = await check(repository.dir, 'main', 'a', 'b');
    expect({ code, status: report?.status, landable: report?.landable }).toEqual({
      code: 0,
      status: 'pass',
      landable: ['a', 'b'],
    });
    expect(report?.union.excluded).toEqual([]);
  });
});

describe('three branches', () => {
  test('that break only together are blamed together', async () => {
    const repository = new GitRepository();
    const thing = 'def thing():\n    return 1\n';
    repository.commit({
      'p/__init__.py': 'from p.one import *\nfrom p.two import *\n',
      'p/one.py': thing,
      'p/two.py': thing,
    });
    repository.branch('one', { 'p/one.py': 'other = 1\n' });
    repository.branch('two', { 'p/two.py': 'another = 1\n' });
    repository.branch('uses', { 'q.py': 'from p import thing\n\nthing()\n' });
    for (const pair of [
      ['one', 'two'],
      ['one', 'uses'],
      ['two', 'uses'],
    ]) {
      expect((await check(repository.dir, 'main', ...pair)).code).toBe(0);
    }
    const { code, report } = await check(repository.dir, 'main', 'one', 'two', 'uses');
    expect(code).toBe(1);
    expect(report?.findings.map(({ branches }) => branches)).toEqual([['one', 'two', 'uses']]);
  });

  test('that move a submodule apart conflict there, and are compared all the same', async () => {
    const repository = new GitRepository();
    const points = (digit: string) =>
      repository.git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},dep`);
    const commit = (branch: string, digit: string, files: Record<string, string>) => {
      if (branch !== 'main') repository.git('checkout', '-q', '-b', branch, 'main');
      repository.write(files);
      repository.git('add', 'src');
      points(digit);
      repository.git('commit', '-q', '-m', branch);
    };
    commit('main', '1', { 'src/a.ts': 'export const get = 1;\n' });
    commit('a', '2', { 'src/a.ts': 'export const fetched = 1;\n' });
    commit('b', '3', { 'src/b.ts': "import { get } from './a';\n\nexport const b = get;\n" });
    const { code, report } = await check(repository.dir, 'main', 'a', 'b');
    expect(code).toBe(1);
    expect(report?.inconclusive).toEqual([]);
    expect(report?.findings.map(({ rule }) => rule).sort()).toEqual(['S02', 'T01']);
    expect(JSON.stringify(report?.findings)).toContain('point the submodule dep to different commits');
  });

  test('whose text conflicts only together do not pass', async () => {
    const repository = new GitRepository();
    const file = (path: string) => [path, `${path}\n`.repeat(5)] as const;
    const folders = ['p', 'q', 'r'];
    repository.commit(
      Object.fromEntries(folders.flatMap((folder) => [1, 2].map((n) => file(`${folder}/${n}`)))),
    );
    // Two branches move a folder into two others, so git cannot decide where the third one's file goes.
    const moves = (from: string, to: string) => ({ [from]: null, [to]: file(from)[1] });
    const adds = (path: string) => Object.fromEntries([file(path)]);
    repository.branch('a', { ...moves('p/1', 'p1/1'), ...moves('r/1', 'r1/1'), ...adds('q/3') });
    repository.branch('b', { ...moves('p/2', 'p2/2'), ...moves('q/1', 'q1/1'), ...adds('r/3') });
    repository.branch('c', { ...moves('q/2', 'q2/2'), ...moves('r/2', 'r2/2'), ...adds('p/3') });
    const { code, report } = await check(repository.dir, 'main', 'a', 'b', 'c');
    expect(code).toBe(1);
    expect(report?.findings.map(({ rule, branches }) => ({ rule, branches }))).toEqual([
      { rule: 'T01', branches: ['a', 'b', 'c'] },
    ]);
    expect(report?.landable).toEqual(['a', 'b']);
  });

  test('whose text conflicts in one order land in another', async () => {
    const repository = new GitRepository();
    repository.commit({ 'd/1.ts': 'export const one = 1;\n', 'd/2.ts': 'export const two = 2;\n' });
    repository.branch('a', { 'd/1.ts': null, 'e/1.ts': 'export const one = 1;\n' });
    repository.branch('b', { 'd/2.ts': null, 'f/2.ts': 'export const two = 2;\n' });
    repository.branch('c', { 'd/3.ts': 'export const three = 3;\n' });
    const { code, report } = await check(repository.dir, 'main', 'a', 'b', 'c');
    expect(code).toBe(0);
    expect(report?.landable).toEqual(['c', 'a', 'b']);
    repository.git('merge', '-q', 'c');
    repository.git('merge', '-q', 'a');
    repository.git('merge', '-q', 'b');
  });

  test('keep those in the union that merge as text', async () => {
    const repository = new GitRepository();
    repository.commit({ 'a.txt': 'one\ntwo\nthree\n' });
    repository.branch('x', { 'a.txt': 'ONE\ntwo\nthree\n' });
    repository.branch('y', { 'a.txt': 'Uno\ntwo\nthree\n', 'b.txt': 'b\n' });
    repository.branch('z', { 'c.txt': 'c\n' });
    const { code, report } = await check(repository.dir, 'main', 'x', 'y', 'z');
    expect(code).toBe(1);
    expect(report?.findings.map(({ rule, branches, owner }) => ({ rule, branches, owner }))).toEqual([
      { rule: 'T01', branches: ['x', 'y'], owner: 'x' },
    ]);
    expect(report?.union).toMatchObject({
      excluded: ['x'],
      conflicts: [{ paths: ['a.txt'], branches: ['x', 'y'] }],
    });
    expect(report?.landable).toEqual(['y', 'z']);
  });
});

describe('bad input', () => {
  test.each([
    ['mian', 'a'],
    ['main', 'a', 'mian'],
  ])('an unknown ref names the nearest one and exits 3: %s %s %s', async (...refs) => {
    const { code, envelope, stderr } = await check(clashing().dir, ...refs);
    expect(code).toBe(3);
    expect(envelope).toMatchObject({
      status: 'error',
      error: { code: 'unknown-ref', hint: expect.stringContaining('main') },
    });
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
  });

  test('branches without common history exit 3', async () => {
    const repository = clashing();
    repository.git('checkout', '-q', '--orphan', 'island');
    repository.commit({ 'x.py': 'x = 1\n' });
    const { code, envelope } = await check(repository.dir, 'main', 'island');
    expect({ code, error: envelope.error.code }).toEqual({ code: 3, error: 'no-common-history' });
  });

  test('a folder that is not a repository exits 3', async () => {
    const { code, envelope } = await check(temporaryFolder(), 'main');
    expect({ code, error: envelope.error.code }).toEqual({ code: 3, error: 'not-a-repository' });
  });

  test('an unreadable config exits 3', async () => {
    const repository = clashing();
    repository.write({ 'joinery.json': '{ "block": ' });
    expect((await check(repository.dir, 'main', 'a')).code).toBe(3);
  });

  test('a worktree of another repository exits 3', async () => {
    const other = clashing();
    const { code, envelope } = await check(clashing().dir, 'main', other.dir);
    expect({ code, error: envelope.error.code }).toEqual({ code: 3, error: 'not-a-worktree' });
  });

  test('an empty repository exits 3', async () => {
    expect((await check(new GitRepository().dir)).code).toBe(3);
  });
});

describe('what cannot be read', () => {
  test('is inconclusive if a branch changed it, and exits 2', async () => {
    const repository = clashing();
    repository.branch('broken', { 'app/api.py': 'def get(id:\n    return id\n' });
    const { code, report } = await check(repository.dir, 'main', 'b', 'broken');
    expect(code).toBe(2);
    expect(report?.status).toBe('undecided');
    expect(report?.inconclusive).toEqual([{ file: 'app/api.py', reason: expect.stringContaining('broken') }]);
    expect(report?.findings).toEqual([]);
    expect(report?.landable).toEqual(['b']);
  });

  test('does not matter if no branch touched it', async () => {
    const repository = new GitRepository();
    repository.commit({ ...api, 'app/old.py': 'print "python 2"\n(' });
    repository.branch('b', uses);
    expect((await check(repository.dir, 'main', 'b')).code).toBe(0);
  });

  test('a partial clone says what is missing', async () => {
    const origin = clashing();
    origin.git('config', 'uploadpack.allowFilter', 'true');
    const clone = join(temporaryFolder(), 'partial');
    origin.git('clone', '-q', '--no-checkout', '--filter=blob:none', `file://${origin.dir}`, clone);
    const { code, stderr, envelope } = await check(clone, 'origin/main', 'origin/a', 'origin/b');
    expect([2, 5]).toContain(code);
    expect(JSON.stringify(envelope) + stderr).toMatch(/clone/);
    const treeless = join(temporaryFolder(), 'treeless');
    origin.git('clone', '-q', '--no-checkout', '--filter=tree:0', `file://${origin.dir}`, treeless);
    const again = () => check(treeless, 'origin/main', 'origin/a', 'origin/b');
    const { error } = (await again()).envelope;
    expect(error.code).toBe('objects-missing');
    // The suggested command fetches what is missing.
    const [, ...command] = /git fetch [^,]+/.exec(error.hint)?.[0].split(' ') ?? [];
    execFileSync('git', command, { cwd: treeless, stdio: 'ignore' });
    expect((await again()).code).toBe(1);
  });

  test('a branch whose content the clone lacks is named, and the others are checked', async () => {
    const repository = clashing();
    repository.commit({ 'old.txt': 'git compares this with what is new\n' });
    repository.git('checkout', '-q', '-b', 'holes', 'main');
    repository.git('rm', '-q', 'old.txt');
    repository.write({ 'app/new.py': 'def other():\n    return 2\n', 'data.txt': 'nothing else has this\n' });
    repository.git('add', '--all');
    repository.git('commit', '-q', '-m', 'holes');
    for (const path of ['app/new.py', 'data.txt']) {
      const blob = repository.git('rev-parse', `holes:${path}`);
      rmSync(join(repository.dir, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    }
    repository.git('checkout', '-q', '-f', 'main');
    const { code, report } = await check(repository.dir, 'main', 'a', 'b', 'holes');
    expect({ code, findings: report?.findings.map(({ rule }) => rule) }).toEqual({
      code: 1,
      findings: ['S02'],
    });
    expect(JSON.stringify(report?.inconclusive)).toContain('on holes');
    expect(report?.landable).not.toContain('holes');
  });

  test('a shallow clone says how to get the rest', async () => {
    const origin = clashing();
    origin.commit({ 'x.txt': 'x\n' });
    const clone = join(temporaryFolder(), 'shallow');
    origin.git('clone', '-q', '--depth=1', '--no-single-branch', `file://${origin.dir}`, clone);
    const { code, envelope } = await check(clone, 'origin/main', 'origin/a');
    expect(code).toBe(3);
    expect(envelope.error.hint).toContain('--unshallow');
  });
});

describe('the settings of a project', () => {
  test('may switch a rule off, lower it, or accept a finding until a date', async () => {
    const repository = clashing();
    const run = async (config: unknown) => {
      repository.commit({ 'joinery.json': JSON.stringify(config) });
      return check(repository.dir, 'main', 'a', 'b');
    };
    expect((await run({ rules: { S02: 'off' } })).report?.findings).toEqual([]);
    expect((await run({ rules: { S02: 'minor' } })).code).toBe(0);
    expect((await run({ ignore: [{ rule: 'S02', path: 'app/**', reason: 'known' }] })).code).toBe(0);
    const expired = await run({ ignore: [{ rule: 'S02', reason: 'known', expires: '2020-01-01' }] });
    expect(expired.code).toBe(1);
    expect(expired.report?.degraded).toEqual([
      { check: 'ignore', reason: expect.stringContaining('expired') },
    ]);
    const unused = await run({ ignore: [{ rule: 'S01', reason: 'gone' }], rules: { S02: 'info' } });
    expect(unused.report?.degraded).toEqual([
      { check: 'ignore', reason: expect.stringContaining('matches nothing') },
    ]);
  });

  test('are read from base: a checked-out branch does not silence its own check', async () => {
    const silence = {
      ignore: [{ path: '**', reason: 'legacy' }],
      rules: { S02: 'off' },
      branches: ['b'],
      confirm: 'none',
      checkers: { timeoutSeconds: 1 },
      python: { roots: ['nowhere'] },
    };
    const repository = clashing();
    repository.branch('evil', { ...renames, 'joinery.json': JSON.stringify(silence) });
    repository.git('branch', '-q', '-D', 'a');
    repository.git('checkout', '-q', 'evil');
    const quiet = await check(repository.dir);
    expect(quiet.code).toBe(1);
    expect(quiet.report?.branches.map(({ ref }) => ref)).toEqual(['b', 'evil']);
    expect(quiet.report?.findings.map(({ rule }) => rule)).toEqual(['S02']);
    expect(quiet.stderr).toMatch(/joinery\.json: "confirm".*"ignore", "rules".* count as on main/);
    repository.git('checkout', '-q', 'main');
    repository.commit({ 'package.json': JSON.stringify({ joinery: { rules: { S02: 'off' } } }) });
    repository.git('checkout', '-q', 'evil');
    expect((await check(repository.dir, 'main', 'b', 'evil')).code).toBe(0);
    expect((await check(repository.dir, '--base', 'main', 'b')).stderr).toMatch(/ as on main/);
  });

  test('are also read in a clone without a checkout', async () => {
    const repository = clashing();
    repository.commit({ 'package.json': '{"joinery":{"rules":{"S02":"off"}}}' });
    const bare = new GitRepository({ bare: true });
    bare.git('fetch', '-q', repository.dir, 'refs/heads/*:refs/heads/*');
    expect((await check(bare.dir, 'main', 'a', 'b')).code).toBe(0);
  });

  test('name the base on the default branch: a branch cannot name itself, or an accomplice, as the base', async () => {
    const repository = clashing();
    repository.branch('evil', { ...renames, 'joinery.json': '{"base":"evil"}' });
    repository.git('checkout', '-q', 'evil');
    const judged = await check(repository.dir);
    expect({ code: judged.code, base: judged.report?.base.ref }).toEqual({ code: 1, base: 'main' });
    expect(judged.stderr).toMatch(/"base" is evil in this checkout; main counts, as on main/);
    const named = await check(repository.dir, '--base', 'evil', 'b');
    expect({ stderr: named.stderr, base: named.report?.base.ref }).toEqual({ stderr: '', base: 'evil' });
    repository.git('checkout', '-q', 'main');
    repository.git('branch', '-q', 'trunk');
    repository.commit({ 'joinery.json': '{"base":"trunk"}' });
    expect((await check(repository.dir)).report?.base.ref).toBe('trunk');
  });

  test('that are unreadable on base exit 3 and name the commit', async () => {
    const repository = clashing();
    const commit = repository.commit({ 'joinery.json': '{ "block": ' });
    repository.write({ 'joinery.json': '{}' });
    const { code, envelope } = await check(repository.dir, 'main', 'a');
    expect(code).toBe(3);
    expect(envelope.error.message).toContain(`in commit ${commit.slice(0, 12)}: joinery.json:1:`);
  });

  test('strict makes important findings fail', async () => {
    const repository = new GitRepository();
    repository.commit(api);
    repository.branch('b', { 'app/use.py': 'from app.teams import Team\n\nTeam()\n' });
    const loose = await check(repository.dir, 'main', 'b');
    expect({ code: loose.code, rules: loose.report?.findings.map(({ rule }) => rule) }).toEqual({
      code: 0,
      rules: ['S21'],
    });
    expect((await check(repository.dir, '--strict', 'main', 'b')).code).toBe(1);
  });
});

test('the report is validated by the published schema', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../schemas/check.schema.json', import.meta.url), 'utf8'),
  );
  expect(schema.properties.schema.const).toBe('joinery/check@1');
});

describe('the owner of a duplicate of two branches', () => {
  const lines = Array.from({ length: 12 }, (_, line) => `export const v${line} = ${line};\n`).join('');
  const g = 'export function g() {\n  return 1;\n}\n';
  const using = (from: string, own: string, name: string) =>
    `import { ${name} } from './${from}.ts';\nexport const ${own} = ${name};\n`;
  const chain = {
    'src/lib.ts': lines,
    'src/one.ts': 'export const one = 1;\n',
    'src/two.ts': using('one', 'two', 'one'),
    'src/three.ts': using('two', 'three', 'two'),
  };
  const user = { 'src/add.ts': using('lib', 'add', 'g') };
  const many = Object.fromEntries(
    [1, 2, 3].map((n) => [`src/after${n}.ts`, using('add', `after${n}`, 'add')]),
  );

  test.each([
    ['nothing depends on it, and others are followed no further', {}, 'b', '0 files against at least 1 file'],
    ['fewer depend on it, over other files included', user, 'b', '1 file against at least 2 files'],
    ['fewer depend on it, told by all of them', { ...user, ...many }, 'a', '3 files against 4 files'],
  ])('is the one where %s', async (_, more, owner, told) => {
    const repository = new GitRepository();
    repository.commit(chain);
    repository.branch('a', { 'src/lib.ts': `${g}${lines}`, 'src/one.ts': using('lib', 'one', 'g') });
    repository.branch('b', { 'src/lib.ts': `${lines}${g}`, ...more });
    const { report } = await check(repository.dir, 'main', 'a', 'b');
    expect(
      report?.findings.map(({ rule, ...finding }) => [rule, finding.owner, finding.ownerReason]),
    ).toEqual([['S17', owner, expect.stringContaining(told)]]);
  });

  test('is the smaller one if too many files contain the name to read all of them', async () => {
    const repository = new GitRepository();
    const holding = Array.from({ length: 201 }, (_, n) => [
      `src/a${n}.ts`,
      `// g\nexport const a${n} = 1;\n`,
    ]);
    repository.commit({ ...chain, ...Object.fromEntries(holding) });
    repository.branch('a', { 'src/lib.ts': `${g}${lines}`, 'src/one.ts': using('lib', 'one', 'g') });
    repository.branch('b', { 'src/lib.ts': `${lines}${g}` });
    const { report } = await check(repository.dir, 'main', 'a', 'b');
    expect(report?.findings.map(({ owner, ownerReason }) => [owner, ownerReason])).toEqual([
      [
        'b',
        'either side could follow and not all that depends on them was counted; it is the smaller branch',
      ],
    ]);
  });
});

describe('an import cycle', () => {
  const fn = (name: string) => `export function ${name}() {\n  return 1;\n}\n`;
  const body = `${fn('x')}${Array.from({ length: 12 }, (_, line) => `export const v${line} = ${line};\n`).join('')}`;

  test.each([
    [
      'over an import that loads from now on',
      {
        'x.py': 'X = 1\n',
        'p.py': 'P = 1\n',
        'f.py': 'def f():\n    from x import X\n    return X\n',
      },
      { 'x.py': 'from p import P\nX = P\n', 'f.py': 'from x import X\ndef f():\n    return X\n' },
      { 'p.py': 'from f import f\nP = 1\n' },
    ],
    [
      'over a file that imports what was moved',
      { 'x.ts': body, 'p.ts': fn('p'), 'm.ts': `import { x } from './x';\nexport const m = () => x();\n` },
      { 'x.ts': null, 'x/index.ts': `import { p } from '../p';\nexport const xp = p;\n${body}` },
      { 'p.ts': `import { m } from './m';\nexport const q = m;\n${fn('p')}` },
    ],
    [
      'over a file that imports what was missing',
      { 'p.ts': fn('p'), 'm.ts': `import { x } from './x.ts';\nexport const m = () => x();\n` },
      { 'x.ts': `import { p } from './p.ts';\nexport const x = () => p();\n` },
      { 'p.ts': `import { m } from './m.ts';\nexport const q = m;\n${fn('p')}` },
    ],
  ])('is found %s', async (_, base: Files, a: Files, b: Files) => {
    const repository = new GitRepository();
    repository.commit(base);
    repository.branch('a', a);
    repository.branch('b', b);
    const { report } = await check(repository.dir, 'main', 'a', 'b');
    expect(report?.findings.map(({ rule }) => rule)).toContain('S19');
  });
});

describe('--stats', () => {
  const stages = (stderr: string) =>
    Array.from(stderr.matchAll(/^ {2}(\S.*?) +(\d+\.\d\d) s$/gm), ([, name]) => name);

  test('prints the time of each stage on stderr, and for a cached report only the time to find it', async () => {
    const { dir } = clashing();
    const env = { JOINERY_CACHE_DIR: temporaryFolder() };
    const args = ['check', '--json', '--stats', '--confirm', 'none'];
    const first = await joinery(args, { cwd: dir, env });
    expect(first.stderr).toMatch(/^\d+\.\d\d s, 6 files parsed, 0 from the cache, 0 checker runs$/m);
    expect(stages(first.stderr)).toEqual([
      'reading branches',
      'comparing with base',
      'reading changes',
      'comparing pairs',
      'building the union',
      'comparing names',
      'writing the report',
    ]);
    const again = await joinery(args, { cwd: dir, env });
    expect(again.stderr).toMatch(/the report was in the cache$/m);
    expect(stages(again.stderr)).toEqual(['reading branches']);
    expect(again.stdout).toBe(first.stdout);
  });
});
