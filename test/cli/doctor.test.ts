import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DoctorReport } from '#schema/command-reports.ts';
import { repositoryWith } from '../support/git-repository.ts';
import { joinery, type Surroundings, temporaryFolder } from '../support/joinery.ts';

async function diagnose(surroundings: Surroundings) {
  const { code, stdout } = await joinery(['doctor', '--json'], surroundings);
  const report = DoctorReport.parse(JSON.parse(stdout));
  const check = (name: string) => report.checks.find((each) => each.name === name);
  return { code, report, check };
}

test('on a healthy machine everything required passes', async () => {
  const { code, report } = await diagnose({ cwd: repositoryWith({}) });
  expect(report.checks.filter(({ status }) => status === 'fail')).toEqual([]);
  expect(report.status).toBe('pass');
  expect(code).toBe(0);
});

test('without git: exit 5, and how to get it', async () => {
  const { code, report, check } = await diagnose({ env: { PATH: temporaryFolder() } });
  expect(check('git')).toMatchObject({ status: 'fail', hint: expect.stringContaining('install git') });
  expect(report.status).toBe('fail');
  expect(code).toBe(5);
});

test('with a git that is too old: exit 5', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'git'), '#!/bin/sh\necho git version 2.37.9\n', { mode: 0o755 });
  const { code, check } = await diagnose({ env: { PATH: `${folder}:/bin` } });
  expect(check('git')).toMatchObject({ status: 'fail', found: '2.37.9, older than 2.38' });
  expect(code).toBe(5);
});

test('an invalid config: exit 3, with line and column', async () => {
  const cwd = repositoryWith({ 'joinery.json': '{\n  "block": 1\n}' });
  const { code, check, report } = await diagnose({ cwd });
  expect(check('config')).toMatchObject({
    status: 'fail',
    found: expect.stringMatching(/^joinery\.json:2:3: /),
  });
  expect(report.settings).toEqual([]);
  expect(code).toBe(3);
});

test('an unknown key is a warning', async () => {
  const cwd = repositoryWith({ 'joinery.json': '{ "blcok": "likely" }' });
  const { code, check } = await diagnose({ cwd });
  expect(check('config')).toMatchObject({ status: 'warn', found: expect.stringContaining('"block"') });
  expect(code).toBe(0);
});

test('a cache that cannot be written: exit 5', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const { code, check } = await diagnose({ env: { JOINERY_CACHE_DIR: join(file, 'cache') } });
  expect(check('cache')).toMatchObject({
    status: 'fail',
    hint: expect.stringContaining('JOINERY_CACHE_DIR'),
  });
  expect(code).toBe(5);
});

test("the TypeScript that a check would use is named: the project's own, else the bundled one", async () => {
  const cwd = repositoryWith({});
  expect((await diagnose({ cwd })).check('types: TypeScript')).toMatchObject({
    status: 'pass',
    found: expect.stringMatching(/^7\.\d+\.\d+ that comes with Joinery/),
  });
  mkdirSync(join(cwd, 'node_modules', 'typescript'), { recursive: true });
  writeFileSync(join(cwd, 'node_modules', 'typescript', 'package.json'), '{"version":"5.9.1"}');
  const { code, check } = await diagnose({ cwd });
  expect(check('types: TypeScript')).toMatchObject({
    status: 'pass',
    found: expect.stringMatching(/^5\.9\.1 /),
  });
  expect(code).toBe(0);
});

test('a Python checker that is configured and not installed is named; one that is not configured is not missed', async () => {
  const cwd = repositoryWith({ 'mypy.ini': '[mypy]\n' });
  const missing = await diagnose({ cwd, env: { PATH: '/bin:/usr/bin' } });
  expect(missing.check('types: Python')).toMatchObject({
    status: 'warn',
    found: expect.stringContaining('mypy, set up in mypy.ini, is not installed'),
  });
  const bin = join(cwd, '.venv', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'mypy'), '#!/bin/sh\necho mypy 9.9.9\n', { mode: 0o755 });
  expect((await diagnose({ cwd })).check('types: Python')).toMatchObject({
    status: 'pass',
    found: expect.stringContaining('mypy 9.9.9'),
  });
  const plain = await diagnose({ cwd: repositoryWith({}) });
  expect(plain.check('types: Python')).toMatchObject({ status: 'skipped' });
});

test('a checker of the project is asked for its version without the secrets of the environment', async () => {
  const cwd = repositoryWith({ 'mypy.ini': '[mypy]\n' });
  const bin = join(cwd, '.venv', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'mypy'), '#!/bin/sh\necho "mypy 9.9.9 [$DEPLOY_TOKEN]"\n', { mode: 0o755 });
  const { check } = await diagnose({ cwd, env: { ...process.env, DEPLOY_TOKEN: 'not-for-mypy' } });
  expect(check('types: Python')?.found).toContain('mypy 9.9.9 []');
});

test('defaults are shown with --verbose only', async () => {
  const cwd = repositoryWith({ 'joinery.json': '{ "block": "proven" }' });
  const short = (await joinery(['doctor'], { cwd })).stdout;
  expect(short).toMatch(/^ {2}block .*joinery\.json/m);
  expect(short).not.toContain('run.parallel');
  expect((await joinery(['doctor', '--verbose'], { cwd })).stdout).toContain('run.parallel');
});

test('unused type checkers are not looked for', async () => {
  const { check } = await diagnose({ cwd: repositoryWith({ 'joinery.json': '{ "confirm": "none" }' }) });
  expect(check('types')).toMatchObject({ status: 'skipped' });
  expect(check('types: TypeScript')).toBeUndefined();
});

test('every setting is shown with its source', async () => {
  const cwd = repositoryWith({ 'joinery.json': '{ "base": "dev" }' });
  const { report } = await diagnose({ cwd, env: { JOINERY_BLOCK: 'proven' } });
  expect(report.settings).toContainEqual({ key: 'base', value: 'dev', origin: 'project joinery.json' });
  expect(report.settings).toContainEqual({
    key: 'block',
    value: 'proven',
    origin: 'environment JOINERY_BLOCK',
  });
  expect(report.settings).toContainEqual({ key: 'cache.maxBytes', value: 2 * 1024 ** 3, origin: 'default' });
});

test('outside a repository the machine is still examined', async () => {
  const { code, check } = await diagnose({ cwd: temporaryFolder() });
  expect(check('repository')).toMatchObject({ status: 'skipped' });
  expect(code).toBe(0);
});

test('the report for people fits into 80 columns', async () => {
  const { stdout } = await joinery(['doctor'], { cwd: repositoryWith({}) });
  const ourOwn = stdout.split('\n').filter((line) => !line.includes('/'));
  expect(ourOwn.filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toContain('Everything required is there.');
});
