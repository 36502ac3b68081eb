import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

/** A hanging check never ends; one on a slow, busy machine may take long. */
const limitMs = 180_000;

async function check(repository: GitRepository, args: readonly string[]) {
  const started = performance.now();
  const outcome = await joinery(['check', '--json', ...args], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder() },
  });
  expect(performance.now() - started).toBeLessThan(limitMs);
  return { ...outcome, report: JSON.parse(outcome.stdout) };
}

/** A program that leaves a mark when it is run. */
function trap(): { command: string; sprung: () => boolean } {
  const folder = temporaryFolder();
  const program = join(folder, 'trap.sh');
  const mark = join(folder, 'mark');
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  chmodSync(program, 0o755);
  return { command: program, sprung: () => existsSync(mark) };
}

describe('hostile content neither hangs the check nor is executed', () => {
  test('file names with newlines, quotes, escapes, leading dashes and invalid bytes', async () => {
    const repository = new GitRepository();
    const nasty = [
      'new\nline.py',
      'quo"te\'.py',
      '-rf.py',
      '$(touch x).py',
      'tab\t.py',
      'späce 🎉.py',
      '\u001b[31mred.py',
    ];
    repository.commit({
      'ok.py': 'x = 1\n',
      ...Object.fromEntries(nasty.map((name) => [name, 'def f(a):\n    return a\n'])),
    });
    const bytes = Buffer.concat([
      Buffer.from(`${repository.dir}/`),
      Buffer.from([0xff, 0xfe, 0x41]),
      Buffer.from('.py'),
    ]);
    repository.git('checkout', '-q', '-b', 'a');
    writeFileSync(bytes, 'def g():\n    return 1\n');
    repository.commit(Object.fromEntries(nasty.map((name) => [name, 'def f(a, b):\n    return a\n'])));
    repository.git('checkout', '-q', 'main');
    repository.branch('b', { 'other.py': 'y = 2\n' });
    const { code, report, stderr } = await check(repository, ['main', 'a', 'b']);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(report.branches.map(({ files }: { files: number }) => files)).toEqual([nasty.length + 1, 1]);
  });

  test('branch names with shell metacharacters and leading dashes', async () => {
    const repository = new GitRepository();
    repository.commit({ 'api.py': 'def get(id):\n    return id\n' });
    const names = [`a;touch$${'{IFS}'}pwned`, 'b\'"`id`', 'c&&d|e', '--upload-pack=touch'];
    for (const [index, name] of names.entries()) {
      const commit = repository.branch(`tmp${index}`, {
        [`use${index}.py`]: 'from api import get\n\nget(1)\n',
      });
      repository.git('update-ref', `refs/heads/${name}`, commit);
      repository.git('branch', '-q', '-D', `tmp${index}`);
    }
    repository.branch('breaks', { 'api.py': 'def get(id, other):\n    return id\n' });
    const before = fingerprint(repository.dir);
    const named = await check(repository, ['--base', 'main', '--', ...names, 'breaks']);
    expect(named.code).toBe(1);
    expect(named.report.findings).toHaveLength(names.length);
    const all = await check(repository, []);
    expect(all.report.findings).toHaveLength(names.length);
    expect(existsSync(join(repository.dir, 'pwned'))).toBe(false);
    expect(fingerprint(repository.dir)).toEqual(before);
    const pasted = named.report.findings.map(
      ({ witness }: { witness: { command: string } }) => witness.command,
    );
    for (const command of pasted) {
      const words = execFileSync('sh', ['-c', `for word in ${command}; do printf '%s\\n' "$word"; done`], {
        encoding: 'utf8',
      })
        .trimEnd()
        .split('\n');
      expect(words).toEqual(['joinery', 'replay', expect.stringMatching(/^[0-9a-f]{16}$/)]);
    }
  });

  test('merge drivers, filters, hooks, textconv, fsmonitor and aliases that the repository configures', async () => {
    const repository = new GitRepository();
    const { command, sprung } = trap();
    repository.commit({
      'a.py': 'one = 1\ntwo = 2\nthree = 3\nfour = 4\nfive = 5\n',
      '.gitattributes': '*.py merge=evil filter=evil diff=evil\n',
    });
    repository.branch('a', { 'a.py': 'one = 11\ntwo = 2\nthree = 3\nfour = 4\nfive = 5\n' });
    repository.branch('b', { 'a.py': 'one = 1\ntwo = 2\nthree = 3\nfour = 4\nfive = 55\n' });
    const worktree = join(temporaryFolder(), 'tree');
    repository.git('worktree', 'add', '-q', '-b', 'c', worktree, 'main');
    for (const [key, value] of Object.entries({
      'merge.evil.driver': `${command} %O %A %B`,
      'filter.evil.clean': command,
      'filter.evil.smudge': command,
      'filter.evil.process': command,
      'filter.evil.required': 'true',
      'diff.evil.textconv': command,
      'diff.external': command,
      'core.fsmonitor': command,
      'core.pager': command,
      'core.sshCommand': command,
      'alias.merge-tree': `!${command}`,
      'alias.cat-file': `!${command}`,
    })) {
      repository.git('config', key, value);
    }
    repository.git('config', 'filter.ev=il.clean', command);
    mkdirSync(join(repository.dir, '.git', 'hooks'));
    for (const hook of ['post-index-change', 'reference-transaction', 'pre-commit', 'post-checkout']) {
      writeFileSync(join(repository.dir, '.git', 'hooks', hook), `#!/bin/sh\nexec ${command}\n`);
      chmodSync(join(repository.dir, '.git', 'hooks', hook), 0o755);
    }
    writeFileSync(join(worktree, 'a.py'), 'one = 1\ntwo = 22\nthree = 3\nfour = 4\nfive = 5\n');
    writeFileSync(join(worktree, 'new.txt'), 'untracked\n');
    const { code, report } = await check(repository, ['main', 'a', 'b', worktree]);
    expect(sprung()).toBe(false);
    expect(code).toBe(1); // a and the worktree change neighbouring lines.
    expect(report.degraded).toContainEqual(expect.objectContaining({ check: 'merge drivers' }));
    expect(report.branches[2].files).toBe(2);
  });

  test('a blob of 100 MB, also when it claims to be code', async () => {
    const repository = new GitRepository();
    repository.commit({ 'a.py': 'x = 1\n' });
    repository.branch('a', { 'big.bin': 'x'.repeat(100 * 1024 * 1024), 'b.py': 'y = 1\n' });
    repository.branch('b', { 'c.py': 'z = 1\n' });
    expect((await check(repository, ['main', 'a', 'b'])).code).toBe(0);
    repository.branch('c', { 'big.py': 'x = 1\n'.repeat(17 * 1024 * 1024) });
    const { code, report } = await check(repository, ['main', 'b', 'c']);
    expect(code).toBe(2);
    expect(report.inconclusive).toEqual([{ file: 'big.py', reason: expect.stringContaining('MB') }]);
  });

  test('deeply nested code and data', async () => {
    const repository = new GitRepository();
    repository.commit({ 'a.py': 'x = 1\n' });
    const depth = 50_000;
    const nested = `x = ${'('.repeat(depth)}1${')'.repeat(depth)}\n`;
    const sum = `x = ${Array.from({ length: depth }, () => '1').join(' + ')}\n`;
    repository.branch('a', {
      'nested.py': nested,
      'sum.py': sum,
      'nested.ts': nested.replace('x', 'export const x'),
      'sum.ts': sum.replace('x', 'export const x'),
      'blocks.js': `${'{'.repeat(depth)}${'}'.repeat(depth)}\n`,
      'deep.json': `${'['.repeat(depth)}${']'.repeat(depth)}\n`,
      'deep.yaml': `a: ${'['.repeat(depth)}${']'.repeat(depth)}\n`,
    });
    repository.branch('b', { 'b.py': 'y = 1\n' });
    const { code, report, stderr } = await check(repository, ['main', 'a', 'b']);
    expect(stderr).toBe('');
    expect([0, 2]).toContain(code);
    expect(report.findings).toEqual([]);
  });

  test('symbolic links, submodules, LFS pointers, CRLF, empty files, binary files with a code ending', async () => {
    const repository = new GitRepository();
    repository.commit({
      'a.py': 'x = 1\r\ny = 2\r\n',
      'empty.py': '',
      'lfs.json': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
    });
    repository.git('checkout', '-q', '-b', 'a');
    symlinkSync('/etc/passwd', join(repository.dir, 'link.py'));
    symlinkSync('.', join(repository.dir, 'loop'));
    repository.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${repository.git('rev-parse', 'HEAD')},vendored`,
    );
    repository.write({ 'video.ts': 'G\0\0\0binary', 'empty.py': 'z = 1\n', 'b.py': '\ufeffx = 1\r\n' });
    repository.git('add', 'link.py', 'loop', 'video.ts', 'empty.py', 'b.py');
    repository.git('commit', '-q', '-m', 'a');
    repository.git('checkout', '-q', '-f', 'main');
    repository.branch('b', { 'a.py': 'x = 1\r\ny = 3\r\n' });
    const { report } = await check(repository, ['main', 'a', 'b']);
    expect(report.findings).toEqual([]);
    expect(report.inconclusive).toEqual([{ file: 'video.ts', reason: expect.stringContaining('binary') }]);
  });

  test('a repository whose path contains quotes, colons and newlines', async () => {
    const dir = join(temporaryFolder(), 'we:ird "na\nme\'');
    mkdirSync(dir);
    const repository = new GitRepository({ dir });
    repository.git('init', '-q', '-b', 'main', '.');
    repository.commit({ 'api.py': 'def get(id):\n    return id\n' });
    repository.branch('a', { 'api.py': 'def fetch(id):\n    return id\n' });
    repository.branch('b', { 'use.py': 'from api import get\n' });
    expect((await check(repository, ['main', 'a', 'b'])).code).toBe(1);
  });
});
