import { lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Provisioning } from '#schema/provisioning.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { provideDependencies } from './dependencies.ts';

function project(): { source: string; worktree: string } {
  const root = temporaryFolder();
  const [source, worktree] = [join(root, 'main'), join(root, 'tree')];
  mkdirSync(join(source, 'node_modules/a/lib'), { recursive: true });
  mkdirSync(worktree);
  writeFileSync(join(source, 'node_modules/a/lib/x.js'), 'x');
  symlinkSync('../a', join(source, 'node_modules/a/self'));
  return { source, worktree };
}

const env = { PATH: process.env.PATH ?? '' };

describe('dependencies of a worktree', () => {
  test('are copies, so that writes do not reach the originals, unless the config asks for links', async () => {
    const { source, worktree } = project();
    const { means } = await provideDependencies(Provisioning.parse({}), source, worktree, env);
    expect(['reflink', 'copy']).toContain(means);
    writeFileSync(join(worktree, 'node_modules/a/lib/x.js'), 'y');
    expect(readFileSync(join(source, 'node_modules/a/lib/x.js'), 'utf8')).toBe('x');
    expect(lstatSync(join(worktree, 'node_modules')).isSymbolicLink()).toBe(false);
    expect(lstatSync(join(worktree, 'node_modules/a/self')).isSymbolicLink()).toBe(true);
  });

  test('are one folder for all when the config says symlink', async () => {
    const { source, worktree } = project();
    expect(
      await provideDependencies(Provisioning.parse({ mode: 'symlink' }), source, worktree, env),
    ).toMatchObject({ means: 'symlink' });
    expect(lstatSync(join(worktree, 'node_modules')).isSymbolicLink()).toBe(true);
  });

  test('are separate files when the config says copy', async () => {
    const { source, worktree } = project();
    expect(
      await provideDependencies(Provisioning.parse({ mode: 'copy' }), source, worktree, env),
    ).toMatchObject({ means: 'copy' });
    const file = 'node_modules/a/lib/x.js';
    expect(statSync(join(worktree, file)).ino).not.toBe(statSync(join(source, file)).ino);
  });

  test('can be installed by a command, which gets the environment of the task and no shell', async () => {
    const { source, worktree } = project();
    const install = [
      process.execPath,
      '-e',
      'require("fs").writeFileSync("out", process.env.MARK + process.argv[1])',
      '$(x)',
    ];
    const { means } = await provideDependencies(Provisioning.parse({ install }), source, worktree, {
      ...env,
      MARK: 'm',
    });
    expect(means).toBe('command');
    expect(readFileSync(join(worktree, 'out'), 'utf8')).toBe('m$(x)');
  });

  test('are recorded by folder: folders that we did not create are not ours', async () => {
    const { source, worktree } = project();
    for (const folder of ['vendor', 'own']) mkdirSync(join(folder === 'own' ? worktree : source, folder));
    const folders = ['node_modules', 'vendor', 'own', 'made', 'none'];
    const provide = (wanted: object) =>
      provideDependencies(Provisioning.parse({ folders, ...wanted }), source, worktree, env);
    expect(await provide({ mode: 'none' })).toEqual({ means: 'none', folders: [] });
    expect((await provide({ mode: 'copy' })).folders).toEqual(['node_modules', 'vendor']);
    expect((await provide({ mode: 'copy' })).folders).toEqual([]);
    const install = [process.execPath, '-e', 'require("fs").mkdirSync("made")'];
    expect((await provide({ install })).folders).toContain('made');
  });

  test('that cannot be installed stop the run with the reason', async () => {
    const { source, worktree } = project();
    const failing = [process.execPath, '-e', 'console.error("no network"); process.exit(3)'];
    await expect(
      provideDependencies(Provisioning.parse({ install: failing }), source, worktree, env),
    ).rejects.toMatchObject({
      code: 'install-failed',
      exitCode: 5,
      message: expect.stringContaining('no network'),
    });
  });

  test.each(['../x', '/etc', 'a/../../b'])('are never taken from %s', (folder) => {
    expect(Provisioning.safeParse({ folders: [folder] }).success).toBe(false);
  });
});
