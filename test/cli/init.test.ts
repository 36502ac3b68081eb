import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InitReport } from '#schema/command-reports.ts';
import { GitRepository, repositoryWith } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const settingsIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'joinery.json'), 'utf8'));

test('writes a config that joinery accepts, with the detected default branch', async () => {
  const repository = new GitRepository();
  repository.commit({ 'a.ts': '' });
  repository.git('branch', '--move', 'trunk');
  const folder = repository.dir;
  const outcome = await joinery(['init'], { cwd: folder });
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(settingsIn(folder)).toMatchObject({ base: 'trunk' });
  const { checks } = JSON.parse((await joinery(['doctor', '--json'], { cwd: folder })).stdout);
  expect(checks).toContainEqual({ name: 'config', status: 'pass', found: 'joinery.json', hint: '' });
});

test('from a subfolder writes to the top of the repository', async () => {
  const folder = repositoryWith({ 'deep/down/a.ts': '' });
  await joinery(['init', '-C', join(folder, 'deep', 'down')]);
  expect(settingsIn(folder)).toMatchObject({ base: 'main' });
});

test('--dry-run prints the file and writes nothing', async () => {
  const folder = repositoryWith({});
  const { stdout } = await joinery(['init', '--dry-run'], { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject({ base: 'main' });
  expect(new GitRepository({ dir: folder }).git('status', '--porcelain')).toBe('');
});

test('names the schema only where it is', async () => {
  const dryRun = async (files: Record<string, string>) =>
    JSON.parse((await joinery(['init', '--dry-run'], { cwd: repositoryWith(files) })).stdout);
  expect(await dryRun({ 'setup.py': '' })).not.toHaveProperty('$schema');
  expect(await dryRun({ 'package.json': '{}' })).not.toHaveProperty('$schema');
  const own = 'node_modules/joinery/schemas/config.schema.json';
  expect(await dryRun({ [own]: '{}' })).toMatchObject({ $schema: `./${own}` });
});

test('--json reports what was written', async () => {
  const folder = repositoryWith({});
  const { stdout } = await joinery(['init', '--json'], { cwd: folder });
  const report = InitReport.parse(JSON.parse(stdout));
  expect(report).toMatchObject({ written: true, content: readFileSync(report.file, 'utf8') });
});

test('refuses to overwrite, unless forced', async () => {
  const folder = repositoryWith({ 'joinery.json': '{ "base": "mine" }' });
  expect(await joinery(['init'], { cwd: folder })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('--force'),
  });
  expect(settingsIn(folder)).toEqual({ base: 'mine' });
  expect(await joinery(['init', '--force'], { cwd: folder })).toMatchObject({ code: 0 });
  expect(settingsIn(folder).base).toBe('main');
});

test('--force replaces an unreadable joinery.json', async () => {
  const folder = repositoryWith({ 'joinery.json': '{ broken' });
  expect(await joinery(['init'], { cwd: folder })).toMatchObject({ code: 3 });
  expect(await joinery(['init', '--force'], { cwd: folder })).toMatchObject({ code: 0 });
});

test.each([
  ['joinery.jsonc', '{}'],
  ['package.json', '{ "joinery": {} }'],
])('never writes a second config beside %s', async (name, text) => {
  const folder = repositoryWith({ [name]: text });
  expect(await joinery(['init', '--force'], { cwd: folder })).toMatchObject({ code: 3 });
  expect(existsSync(join(folder, 'joinery.json'))).toBe(false);
});

test('in a repository without commits leaves the base unset', async () => {
  const folder = new GitRepository().dir;
  expect(await joinery(['init'], { cwd: folder })).toMatchObject({ code: 0 });
  expect(settingsIn(folder)).not.toHaveProperty('base');
});

test('outside a repository and in a bare one: exit 3, nothing written', async () => {
  const outside = temporaryFolder();
  expect(await joinery(['init'], { cwd: outside })).toMatchObject({ code: 3, stdout: '' });
  expect(readdirSync(outside)).toEqual([]);
  const bare = await joinery(['init'], { cwd: new GitRepository({ bare: true }).dir });
  expect(bare).toMatchObject({ code: 3, stderr: expect.stringContaining('working tree') });
});
