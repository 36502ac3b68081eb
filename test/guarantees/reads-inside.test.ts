import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';

const secret = 'sk-live-outside-123456';
const options = { strict: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022', types: [] };
const config = (more: object, rest: object = {}) =>
  JSON.stringify({
    compilerOptions: { ...options, resolveJsonModule: true, ...more },
    include: ['src'],
    ...rest,
  });

/** A folder beside the repository with something that must not be read. */
function outside(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.ts'), `export const token = '${secret}' as const;\n`);
  writeFileSync(join(folder, 'keys.json'), JSON.stringify({ [secret]: 1 }));
  return folder;
}

/** Base, and two branches whose union passes the content of `imported` to a function that does not accept it. */
function repositoryOf(settings: Files, imported: string): GitRepository {
  const repository = new GitRepository();
  repository.commit({
    ...settings,
    'src/take.ts': 'export const take = (a: object | string): unknown => a;\n',
    'src/other.ts': 'export const other = (a: number): unknown => a;\n',
  });
  repository.branch('a', {
    'src/take.ts': "export const take = (a: 'only this'): unknown => a;\n",
    'src/other.ts': 'export type Odd = 1 | 3;\nexport const other = (a: Odd): unknown => a;\n',
  });
  repository.branch('b', {
    'src/use.ts': `${imported}\nimport { take } from './take';\ntake(value);\n`,
    'src/plain.ts': "import { other } from './other';\nother(1 + 1);\n",
  });
  return repository;
}

async function check(repository: GitRepository, args: readonly string[] = ['main', 'a', 'b']) {
  const cache = temporaryFolder();
  const outcome = await joinery(['check', '--json', ...args], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache },
  });
  return { ...outcome, report: JSON.parse(outcome.stdout) };
}

describe('nothing outside the repository and its packages gets into a report', () => {
  test.each([
    [
      'a path of its settings',
      (at: string) => config({ paths: { 'outside/*': [`${at}/*`] } }),
      'outside/config',
    ],
    ['a base folder of its settings', (at: string) => config({ baseUrl: at }), 'config'],
    ['a list of roots', (at: string) => config({ rootDirs: ['src', at] }), './config'],
    ['an absolute import', () => config({}), '/config'],
    ['a file of data', () => config({}), '/keys.json'],
  ])('through %s', async (_, settings, specifier) => {
    const at = outside();
    const from = specifier.startsWith('/') ? at + specifier : specifier;
    const imported = specifier.endsWith('.json')
      ? `import value from '${from}';`
      : `import { token as value } from '${from}';`;
    const repository = repositoryOf({ 'tsconfig.json': settings(at) }, imported);
    const { stdout, report } = await check(repository);
    expect(stdout).not.toContain(secret);
    // The checker still ran.
    expect(report.checkers.length + report.degraded.length).toBeGreaterThan(0);
    expect(report.findings.map(({ rule }: { rule: string }) => rule)).toContain('V01');
  });

  test('through a link that a branch has put into node_modules', async () => {
    const at = outside();
    const repository = repositoryOf(
      { 'tsconfig.json': config({}) },
      "import { token as value } from 'dep/config';",
    );
    repository.git('checkout', '-q', '-b', 'evil');
    mkdirSync(join(repository.dir, 'node_modules'));
    symlinkSync(at, join(repository.dir, 'node_modules/dep'));
    repository.git('add', '--all');
    repository.git('commit', '-q', '-m', 'evil');
    const { stdout, report } = await check(repository);
    expect(stdout).not.toContain(secret);
    expect(report.checkers).toHaveLength(1);
  });
});

describe('settings that lead a compiler out of the repository', () => {
  test.each([
    ['a device', config({}, { extends: '/dev/zero' })],
    ['themselves', config({}, { extends: './tsconfig.json' })],
  ])('extend %s: the branches are still checked', async (_, text) => {
    const repository = repositoryOf({ 'tsconfig.json': text }, 'const value = 1;');
    const began = performance.now();
    const { code, report } = await check(repository);
    expect(performance.now() - began).toBeLessThan(60_000);
    expect(report.findings.map(({ rule }: { rule: string }) => rule)).toContain('V01');
    expect(code).toBe(1);
  });
});
