import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CacheReport, VersionReport } from '#schema/command-reports.ts';
import { ErrorEnvelope } from '#schema/error-envelope.ts';
import { root } from '#scripts/root.ts';
import { repositoryWith } from '../support/git-repository.ts';
import { executable, joinery, runNode, temporaryFolder } from '../support/joinery.ts';

const helpOn = (topic: string) => readFileSync(join(root, 'bin', 'help', `${topic}.txt`), 'utf8');

describe('help', () => {
  test.each([
    [[], 'joinery'],
    [['--help'], 'joinery'],
    [['help'], 'joinery'],
    [['help', 'check'], 'check'],
    [['check', '--help'], 'check'],
    [['check', 'main', 'feat/a', '-h'], 'check'],
    [['-C', 'init', 'check', '--help'], 'check'],
  ])('%j shows the help on %s', async (args, topic) => {
    expect(await joinery(args)).toEqual({ code: 0, signal: null, stdout: helpOn(topic), stderr: '' });
  });

  test('for an unknown command lists the known ones, and exits 3', async () => {
    const outcome = await joinery(['chekc', '--help']);
    expect(outcome).toMatchObject({ code: 3, stdout: '' });
    expect(outcome.stderr).toContain('check');
  });

  test('after -- is an argument', async () => {
    expect((await joinery(['version', '--', '--help'])).stdout).toBe('');
  });

  test('and --version need nothing but the executable, and write nothing', async () => {
    const folder = temporaryFolder();
    cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    const cache = join(folder, 'cache');
    mkdirSync(cache);
    const bare = (...args: string[]) =>
      runNode([join(folder, 'bin', 'joinery.js'), ...args], { env: { JOINERY_CACHE_DIR: cache } });
    expect(await bare('check', '--help')).toMatchObject({ code: 0, stdout: helpOn('check') });
    expect(await bare('--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(readdirSync(cache)).toEqual([]);
  });
});

describe('an invalid command line', () => {
  test.each([
    [['chekc'], 'did you mean "check"?'],
    [['check', '--bse', 'main'], 'did you mean "--base"?'],
    [['--qiet'], 'did you mean "--quiet"?'],
    [['cache', 'clera'], 'did you mean "clear"?'],
    [['cache'], 'path, size or clear'],
    [['-C', '/nowhere/at/all', 'version'], '/nowhere/at/all'],
  ])('%j: one line on stderr, exit 3', async (args, part) => {
    const outcome = await joinery(args);
    expect(outcome).toMatchObject({ code: 3, stdout: '' });
    expect(outcome.stderr).toContain(part);
    expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test.each([
    [['check', 'a', 'b'], 'list branches with: git branch --all'],
    [['replay', 'a1b2c3'], 'this repository has not been checked yet'],
    [['verify', 'missing.json'], 'joinery plan init'],
    [['guardian', 'missing.md'], 'there is no file missing.md'],
    [['challenge', 'missing.md'], 'there is no file missing.md'],
  ])('in a repository too: %j', async (args, part) => {
    const cwd = repositoryWith({ 'a.txt': 'a\n' });
    const outcome = await joinery(args, { cwd, env: { JOINERY_STATE_DIR: temporaryFolder() } });
    expect(outcome).toMatchObject({ code: 3, stdout: '' });
    expect(outcome.stderr).toContain(part);
    expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('with --json stdout contains only the error', async () => {
    const outcome = await joinery(['check', '--json', '--bse']);
    expect(outcome.code).toBe(3);
    expect(ErrorEnvelope.parse(JSON.parse(outcome.stdout)).error.code).toBe('unknown-option');
  });
});

describe('version', () => {
  test('is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect((await joinery(['--version'])).stdout).toBe(`${version}\n`);
    expect((await joinery(['version'])).stdout).toBe(`${version}\n`);
    expect(VersionReport.parse(JSON.parse((await joinery(['version', '--json'])).stdout)).version).toBe(
      version,
    );
  });
});

describe('cache', () => {
  test('path, size and clear use the same folder', async () => {
    const cache = join(temporaryFolder(), 'cache');
    mkdirSync(join(cache, 'objects'), { recursive: true });
    writeFileSync(join(cache, 'objects', 'file'), 'x'.repeat(100));
    const report = async (action: string) => {
      const { stdout } = await joinery(['cache', action, '--json'], { env: { JOINERY_CACHE_DIR: cache } });
      return CacheReport.parse(JSON.parse(stdout));
    };
    expect(await report('path')).toMatchObject({ path: cache });
    const before = await report('size');
    expect(before.entries).toContainEqual({ name: 'objects', bytes: 100 });
    expect((await report('clear')).freed).toBeGreaterThanOrEqual(100);
    expect((await report('size')).entries).not.toContainEqual(expect.objectContaining({ name: 'objects' }));
  });

  test('path is printed alone, for use in scripts', async () => {
    const outcome = await joinery(['cache', 'path'], { env: { JOINERY_CACHE_DIR: '/some/where' } });
    expect(outcome).toMatchObject({ code: 0, stdout: '/some/where\n', stderr: '' });
  });
});

test('a reader that stops early is no error', async () => {
  const child = spawn(process.execPath, [executable, 'doctor'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('a command that waits forever for an answer does not exit as if it had one', async () => {
  const folder = temporaryFolder();
  const silence = join(folder, 'silence.cjs');
  writeFileSync(
    silence,
    `const children = require('node:child_process');
     const { spawn } = children;
     children.spawn = (...args) => Object.assign(spawn(...args), { emit: () => true });
     require('node:module').syncBuiltinESMExports();`,
  );
  const { code, stdout } = await runNode(['--require', silence, executable, 'check', 'main', 'a'], {
    cwd: folder,
  });
  expect({ code, stdout }).toEqual({ code: 13, stdout: '' });
});
