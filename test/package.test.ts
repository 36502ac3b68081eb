import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNpm } from '../bin/bootstrap.js';
import { root } from '../scripts/root.ts';
import { repositoryWith } from './git-repository.ts';
import { runNode } from './joinery.ts';

const home = join(tmpdir(), `joinery-packed-${process.pid}`);
const installed = join(home, 'node_modules', 'joinery');

/** Packs for real, and lays the result out as npm would: with the declared dependencies and no others. */
beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  execFileSync(process.execPath, [findNpm() ?? '', 'pack', '--silent', '--pack-destination', home], {
    cwd: root,
  });
  const { version, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  execFileSync('tar', [
    '-xzf',
    join(home, `joinery-${version}.tgz`),
    '-C',
    installed,
    '--strip-components=1',
  ]);
  for (const name of Object.keys(dependencies)) {
    const link = join(home, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const packed = (args: readonly string[], cwd?: string) =>
  runNode([join(installed, 'bin', 'joinery.js'), ...args], cwd === undefined ? {} : { cwd });

test('the packed package runs without the sources', async () => {
  expect(await packed(['--version'])).toMatchObject({ code: 0 });
  expect(await packed(['check', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Usage:'),
  });
  const outcome = await packed(['doctor', '--json'], repositoryWith({}));
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(outcome.stdout).status).toBe('pass');
});

test('the package holds what people need and nothing of the workshop', () => {
  const list = execFileSync('find', ['.', '-type', 'f'], { cwd: installed, encoding: 'utf8' }).split('\n');
  expect(list).toEqual(expect.arrayContaining(['./README.md', './LICENSE', './schemas/config.schema.json']));
  expect(list.filter((path) => /\.test\.|fixtures|^\.\/(src|test|scripts)\//.test(path))).toEqual([]);
});
