import { symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const tsconfig = JSON.stringify({
  compilerOptions: { strict: true, module: 'esnext', moduleResolution: 'bundler', types: [], noEmit: true },
  include: ['src'],
});
const user = 'export interface User { name: string }\nexport const load = (): User => ({ name: "" });\n';

/** A conflict that only a type checker sees, in a project with this many files of 10 kB and its own TypeScript 5.9. */
function project(files: number): GitRepository {
  const repository = new GitRepository();
  const others = Array.from({ length: files }, (_, index) => [
    `src/other${index}.ts`,
    `/** ${'x'.repeat(10_000)} */\nexport const o = ${index};\n`,
  ]);
  repository.commit({
    '.gitignore': 'node_modules\n',
    'tsconfig.json': tsconfig,
    'src/user.ts': user,
    ...Object.fromEntries(others),
  });
  repository.branch('a', { 'src/user.ts': user.replace('name: string', 'name: string | null') });
  repository.branch('b', {
    'src/shout.ts': "import { load } from './user';\nexport const shout = () => load().name.toUpperCase();\n",
  });
  const compiler = createRequire(import.meta.url).resolve('typescript-5.9');
  repository.write({ 'node_modules/.keep': '' });
  symlinkSync(dirname(dirname(compiler)), join(repository.dir, 'node_modules/typescript'));
  return repository;
}

async function check(repository: GitRepository, cache: string, ...args: string[]) {
  const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
  const { code, stdout, stderr } = await joinery(['check', '--json', ...args], { cwd: repository.dir, env });
  const { findings, degraded, checkers = [] } = CheckReport.parse(JSON.parse(stdout));
  return { code, stderr, degraded, checkers, found: findings.map(({ rule }) => rule) };
}

test('a small project is type-checked by default', async () => {
  const { code, found, degraded, checkers, stderr } = await check(project(20), temporaryFolder());
  expect({ code, found, degraded }).toEqual({ code: 1, found: ['V01'], degraded: [] });
  expect(checkers).toMatchObject([{ origin: 'project', project: 'tsconfig.json' }]);
  expect(stderr).toBe('');
});

test('a large one is judged by facts, and one line says what type-checking would cost, also with a cached answer', async () => {
  const repository = project(100);
  const cache = temporaryFolder();
  const unasked = {
    code: 0,
    found: [],
    checkers: [],
    stderr: '',
    degraded: [
      {
        check: 'types',
        reason: expect.stringMatching(
          /^not asked, because it would take about \d+ s \(1 project, 1\.0 MB\); joinery check --confirm types asks$/,
        ),
      },
    ],
  };
  expect(await check(repository, cache)).toEqual(unasked);
  const asked = await check(repository, cache, '--confirm', 'types');
  expect(asked).toMatchObject({ code: 1, found: ['V01'], degraded: [] });
  expect(asked.stderr).toMatch(/^type checkers: \d+ runs, \d+\.\d s of CPU time\n$/);
  expect(await check(repository, cache)).toEqual(unasked);
  // Nothing runs a second time, so there is no cost to report.
  expect(await check(repository, cache, '--confirm', 'types')).toEqual({ ...asked, stderr: '' });
});
