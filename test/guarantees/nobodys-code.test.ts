import { chmodSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { check, Trap } from '../support/trap.ts';

const tsconfig = '{"compilerOptions":{"types":[],"strict":true},"include":["*.ts"]}';

/** A project with two branches that need type checkers. */
function typeScriptProject(): GitRepository {
  const repository = new GitRepository();
  repository.commit({ 'tsconfig.json': tsconfig, 'a.ts': 'export const a: number = 1;\n' });
  repository.branch('one', { 'b.ts': 'export const b = 1;\n' });
  repository.branch('two', { 'c.ts': 'export const c = 1;\n' });
  return repository;
}

function compiler({ javaScript }: Trap): Files {
  return {
    'node_modules/typescript/package.json': '{"name":"typescript","version":"5.0.0"}',
    'node_modules/typescript/lib/typescript.js': javaScript,
  };
}

describe('a TypeScript compiler of the repository is not run', () => {
  test('if the branch with it is checked out and left out of the union', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    repository.branch('evil', { ...compiler(trap), 'a.ts': 'export const a: number = 2;\n' });
    repository.commit({ 'a.ts': 'export const a: number = 3;\n' });
    repository.git('checkout', '-q', 'evil');
    const { report } = await check(repository, []);
    expect(report.union.excluded).not.toEqual([]);
    expect(report.checkers).toEqual([expect.objectContaining({ origin: 'joinery' })]);
    expect(trap.isSprung).toBe(false);
  });

  test('if the branch with it is checked out and not part of the check', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    repository.branch('evil', compiler(trap));
    repository.git('checkout', '-q', 'evil');
    await check(repository, ['main', 'one', 'two']);
    expect(trap.isSprung).toBe(false);
  });

  test('if it is only in the index', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    repository.write(compiler(trap));
    repository.git('add', '--force', 'node_modules');
    await check(repository, ['main', 'one', 'two']);
    expect(trap.isSprung).toBe(false);
  });

  test('if a branch has it and its files were left on disk', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    repository.branch('evil', { ...compiler(trap), 'a.ts': 'export const a: number = 2;\n' });
    repository.commit({ 'a.ts': 'export const a: number = 3;\n' });
    repository.write(compiler(trap));
    await check(repository, ['main', 'one', 'evil']);
    expect(trap.isSprung).toBe(false);
  });

  test('if a link of the user leads to it', async () => {
    const trap = new Trap();
    const repository = typeScriptProject();
    const { 'node_modules/typescript/lib/typescript.js': code = '' } = compiler(trap);
    repository.branch('evil', {
      'vendor/package.json': '{"name":"typescript","version":"5.0.0"}',
      'vendor/lib/typescript.js': code,
    });
    repository.git('checkout', '-q', 'evil');
    mkdirSync(join(repository.dir, 'node_modules'));
    symlinkSync('../vendor', join(repository.dir, 'node_modules/typescript'));
    await check(repository, ['main', 'one', 'two']);
    expect(trap.isSprung).toBe(false);
  });

  test.runIf(process.platform === 'linux')(
    'if the repository has only the program that the compiler starts',
    async () => {
      const trap = new Trap();
      const repository = typeScriptProject();
      const installed = dirname(fileURLToPath(import.meta.resolve('typescript/package.json')));
      const platform = `node_modules/@typescript/typescript-linux-${process.arch}`;
      repository.branch('evil', {
        '.gitignore': 'node_modules/typescript\n',
        [`${platform}/package.json`]: '{"name":"x","version":"7.0.2"}',
        [`${platform}/lib/tsc`]: trap.shell,
      });
      repository.git('checkout', '-q', 'evil');
      chmodSync(join(repository.dir, platform, 'lib/tsc'), 0o755);
      cpSync(installed, join(repository.dir, 'node_modules/typescript'), { recursive: true });
      await check(repository, ['main', 'one', 'two']);
      expect(trap.isSprung).toBe(false);
    },
  );
});
