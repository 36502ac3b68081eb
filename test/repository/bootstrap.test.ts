import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cacheDir, findNpm, isNodeSupported, nodeFloor } from '#bin/bootstrap.js';
import { readOwnPackage } from '#process/own-package.ts';
import * as paths from '#schema/paths.ts';
import { executable, runNode, temporaryFolder } from '../support/joinery.ts';

const bootstrap = pathToFileURL(executable.replace('joinery.js', 'bootstrap.js')).href;

/** A fake npm: puts a "newer Node" into the current folder, which is this Node with another version. */
const pretendNpm = `
const { mkdirSync, writeFileSync, appendFileSync } = require('node:fs');
const spec = process.argv.at(-1);
const [name, version] = spec.split('@');
appendFileSync(process.env.NPM_CALLS, process.argv.slice(2).join(' ') + '\\n');
mkdirSync('node_modules/' + name + '/bin', { recursive: true });
const node = '#!/bin/sh\\n[ "$1" = --version ] && echo v' + version + ' && exit\\nexec "' + process.execPath + '" "$@"\\n';
writeFileSync('node_modules/' + name + '/bin/node', node, { mode: 0o755 });
console.log('npm says something on stdout');
`;

interface Stage {
  readonly cache: string;
  readonly npmCalls: () => string[];
  start(script: string, args?: readonly string[], env?: Record<string, string>): ReturnType<typeof runNode>;
}

/** An old Node about to continue: its cache is empty and its npm is the given script. */
function stage(npm: string): Stage {
  const folder = temporaryFolder();
  const cache = join(folder, 'cache');
  const calls = join(folder, 'calls');
  mkdirSync(join(folder, 'npm'));
  const npmCli = join(folder, 'npm', 'npm-cli.js');
  writeFileSync(npmCli, npm);
  writeFileSync(calls, '');
  const launcher = join(folder, 'launcher.mjs');
  writeFileSync(
    launcher,
    `import { BootstrapError, continueOnNewerNode } from ${JSON.stringify(bootstrap)};
try { await continueOnNewerNode(process.argv[2], process.argv.slice(3), { isTied: process.env.TIE === '1' }); }
catch (error) { if (!(error instanceof BootstrapError)) throw error; console.error(error.message); process.exitCode = error.exitCode; }`,
  );
  return {
    cache,
    npmCalls: () => readFileSync(calls, 'utf8').split('\n').filter(Boolean),
    start(script, args = [], env = {}) {
      const file = join(folder, 'script.cjs');
      writeFileSync(file, script);
      return runNode([launcher, file, ...args], {
        env: { JOINERY_CACHE_DIR: cache, npm_execpath: npmCli, NPM_CALLS: calls, ...env },
      });
    },
  };
}

const shelf = (cache: string) => readdirSync(join(cache, 'node'));

test('the floor is the one the package declares', () => {
  expect(readOwnPackage().engines.node).toBe(`>=${nodeFloor.replace(/\.0$/, '')}`);
  expect(['20.20.2', '22.17.9', '22.18.0', '24.1.0'].map((version) => isNodeSupported(version))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test.each([
  { JOINERY_CACHE_DIR: '/own/cache', XDG_CACHE_HOME: '/xdg' },
  { JOINERY_CACHE_DIR: 'relative' },
  { XDG_CACHE_HOME: '/xdg' },
  { XDG_CACHE_HOME: 'relative' },
  { LOCALAPPDATA: 'C:\\Local' },
  {},
])('the bootstrap and the sources agree on the cache folder for %o', (env) => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    expect(cacheDir(env, '/home/me', platform)).toBe(paths.cacheDir({ env, home: '/home/me', platform }));
  }
});

test('the script runs on the fetched Node, with its arguments and exit code, and its own stdout', async () => {
  const { start, cache } = stage(pretendNpm);
  const outcome = await start(
    'console.log(JSON.stringify(process.argv.slice(2)), process.env.PATH.split(":")[0]); process.exitCode = 42;',
    ['a b', '--json', '$HOME', ''],
  );
  const [name = ''] = shelf(cache);
  const bin = join(cache, 'node', name, 'node_modules', name.replace(/-\d.*$/, ''), 'bin');
  expect(outcome).toMatchObject({ code: 42, stdout: `["a b","--json","$HOME",""] ${bin}\n` });
  expect(outcome.stderr.split('\n').filter(Boolean)).toHaveLength(1);
});

test('npm runs no install script and leaves no trace in the project', async () => {
  const { start, npmCalls } = stage(pretendNpm);
  await start('');
  expect(npmCalls()).toEqual([
    expect.stringMatching(/^install (?=.*--ignore-scripts)(?=.*--no-save).*@\d+\.\d+\.\d+$/),
  ]);
});

test('the second start fetches nothing and prints nothing', async () => {
  const { start, npmCalls } = stage(pretendNpm);
  await start('');
  expect(await start('')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(npmCalls()).toHaveLength(1);
});

test('simultaneous starts all succeed and leave one finished folder', async () => {
  const { start, cache } = stage(pretendNpm);
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => start('console.log("ran")')));
  expect(outcomes.map(({ code, stdout }) => [code, stdout])).toEqual(Array(4).fill([0, 'ran\n']));
  expect(shelf(cache)).toHaveLength(1);
});

test('a folder that lost its binary is replaced', async () => {
  const { start, cache } = stage(pretendNpm);
  await start('');
  const [name = ''] = shelf(cache);
  const binary = join(cache, 'node', name, 'node_modules', name.replace(/-\d.*$/, ''), 'bin', 'node');
  unlinkSync(binary);
  expect(await start('')).toMatchObject({ code: 0 });
  expect(existsSync(binary)).toBe(true);
});

test('a signal reaches the script, and the bootstrap exits as the script does', async () => {
  const { start } = stage(pretendNpm);
  const handled = await start(
    'process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000); process.kill(process.ppid, "SIGTERM");',
  );
  expect(handled).toMatchObject({ code: 7, signal: null });
  const killed = await start('setInterval(() => {}, 1000); process.kill(process.ppid, "SIGTERM");');
  expect(killed).toMatchObject({ code: null, signal: 'SIGTERM' });
});

test('if npm cannot fetch, one line says why, the exit code is 5 and nothing is left behind', async () => {
  const { start, cache } = stage(
    'console.error("npm error code ENOTFOUND\\nnpm error network request failed"); process.exitCode = 1;',
  );
  const outcome = await start('');
  expect(outcome).toMatchObject({ code: 5, stdout: '' });
  expect(outcome.stderr).toContain('ENOTFOUND: network request failed');
  expect(shelf(cache)).toEqual([]);
});

test('a Node that does not run here is not kept', async () => {
  const { start, cache } = stage(pretendNpm.replace("echo v' + version", "echo v0.0.0'"));
  expect(await start('')).toMatchObject({ code: 5 });
  expect(shelf(cache)).toEqual([]);
});

test('a folder with only node in it has no npm', () => {
  const folder = temporaryFolder();
  expect(findNpm({ PATH: folder }, join(folder, 'bin', 'node'))).toBeNull();
});

test('an npm_execpath of another package manager is not used as npm', () => {
  const folder = temporaryFolder();
  const yarn = join(folder, 'yarn.js');
  writeFileSync(yarn, '');
  expect(findNpm({ npm_execpath: yarn }, join(folder, 'bin', 'node'))).toBeNull();
});

test('an unwritable cache is an environment error', async () => {
  const { start, cache } = stage(pretendNpm);
  writeFileSync(cache, 'a file where the folder should be');
  expect(await start('')).toMatchObject({ code: 5, stdout: '', stderr: expect.stringContaining(cache) });
});

test.skipIf(process.platform !== 'linux')('a cache that the system refuses is one too', async () => {
  const env = { JOINERY_CACHE_DIR: '/proc/joinery/cache' };
  expect(await stage(pretendNpm).start('', [], env)).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('/proc/joinery'),
  });
});

test('the process behind the wrapper ends when the wrapper is killed, and by itself when it is done', async () => {
  const { start } = stage(pretendNpm);
  const tied = `import(${JSON.stringify(bootstrap)}).then(({ endWithWrapper }) => { endWithWrapper(); `;
  const done = await start(`${tied} console.log('done', process.env.JOINERY_TIED); });`, [], { TIE: '1' });
  expect(done).toMatchObject({ code: 0, stdout: 'done undefined\n' });
  const note = join(temporaryFolder(), 'note');
  const script = `${tied}
    const { writeFileSync } = require('node:fs');
    process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(note)}, 'ended'); process.exit(0); });
    setTimeout(() => process.exit(1), 60_000);
    process.kill(process.ppid, 'SIGKILL'); });`;
  await start(script, [], { TIE: '1' });
  await expect.poll(() => existsSync(note), { timeout: 20_000 }).toBe(true);
});
