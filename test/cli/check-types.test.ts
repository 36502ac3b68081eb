import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { type Files, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const tsconfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    types: [],
    noEmit: true,
  },
  include: ['src'],
});
const user = 'export interface User { name: string }\nexport const load = (): User => ({ name: "" });\n';
const nullable = user.replace('name: string', 'name: string | null');
const shout = "import { load } from './user';\nexport const shout = () => load().name.toUpperCase();\n";
const base: Files = { 'tsconfig.json': tsconfig, 'src/user.ts': user };

function repositoryOf(files: Files, branches: Readonly<Record<string, Files>>): GitRepository {
  const repository = new GitRepository();
  repository.commit(files);
  for (const [name, changes] of Object.entries(branches)) repository.branch(name, changes);
  return repository;
}

async function check(repository: GitRepository, args: readonly string[] = [], cache = temporaryFolder()) {
  const env = { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: cache };
  const outcome = await joinery(['check', '--json', '--stats', ...args], { cwd: repository.dir, env });
  const report = CheckReport.strict().parse(JSON.parse(outcome.stdout));
  const runs = Number(/(\d+) checker runs/.exec(outcome.stderr)?.[1]);
  return {
    ...outcome,
    report,
    runs,
    found: report.findings.map(({ rule, branches }) => [rule, ...branches]),
  };
}

describe('a diagnostic of the union', () => {
  test('that no member has is proven and blamed on the two that cause it', async () => {
    const repository = repositoryOf(base, {
      a: { 'src/user.ts': nullable },
      b: { 'src/shout.ts': shout },
      c: { 'src/own.ts': 'export const own: number = "its own debt";\n' },
    });
    const cache = temporaryFolder();
    const { code, report, found, runs } = await check(repository, [], cache);
    expect({ code, found }).toEqual({ code: 1, found: [['V01', 'a', 'b']] });
    expect(report.findings[0]).toMatchObject({ severity: 'blocking', confidence: 'proven', tier: 'R3' });
    expect(report.findings[0]?.witness.output).toMatch(/^src\/shout\.ts:2:28: TS2531: /);
    expect(report.findings[0]?.sites.map(({ symbol }) => symbol)).toEqual([
      'src/user.ts#User.name',
      'src/shout.ts#shout',
    ]);
    expect(report.checkers).toEqual([
      expect.objectContaining({ name: 'typescript', origin: 'joinery', project: 'tsconfig.json', runs }),
    ]);

    const again = await check(repository, [], cache);
    // The whole report is known.
    expect({ runs: again.runs, report: again.report }).toEqual({ runs: Number.NaN, report });

    rmSync(join(cache, 'outcomes.db'));
    const confirmed = await check(repository, [], cache);
    expect({ runs: confirmed.runs, report: confirmed.report }).toEqual({ runs: 0, report });

    rmSync(join(cache, 'outcomes.db'));
    for (const name of readdirSync(join(cache, 'confirm'))) writeFileSync(join(cache, 'confirm', name), '{}');
    const healed = await check(repository, [], cache);
    expect({ runs: healed.runs, report: healed.report }).toEqual({ runs, report });
  });

  test('is not a separate finding if a rule has found the cause: it proves that finding', async () => {
    const repository = repositoryOf(base, {
      a: { 'src/user.ts': user.replace('const load', 'const fetchUser') },
      b: { 'src/shout.ts': shout },
    });
    const { report, found } = await check(repository);
    expect(found).toEqual([['S02', 'a', 'b']]);
    expect(report.findings[0]?.tier).toBe('R3');
    expect(report.findings[0]?.witness.output).toMatch(/TS2305|TS2724/);
  });

  test('may need three branches', async () => {
    const repository = repositoryOf(
      {
        'tsconfig.json': tsconfig,
        'src/one.ts': 'export type One = 1;\n',
        'src/two.ts': 'export type Two = 1;\n',
      },
      {
        x: { 'src/one.ts': 'export type One = 2;\n' },
        y: { 'src/two.ts': 'export type Two = 2;\n' },
        z: {
          'src/both.ts':
            "import type { One } from './one';\nimport type { Two } from './two';\nexport const both: [One, Two] extends [2, 2] ? string : number = 0;\n",
        },
        w: { 'src/w.ts': 'export const w = 1;\n' },
      },
    );
    expect((await check(repository)).found).toEqual([['V01', 'x', 'y', 'z']]);
  });

  test('blames base and one branch if base has moved on', async () => {
    const repository = repositoryOf(base, { b: { 'src/shout.ts': shout } });
    repository.commit({ 'src/user.ts': nullable });
    expect((await check(repository, ['main', 'b'])).found).toEqual([['V01', 'b', 'main']]);
  });

  test('is found in a file that one branch has renamed, and debt in a renamed file is not', async () => {
    const debt = `${shout}export const debt: number = '';\n`;
    const repository = repositoryOf(
      { ...base, 'src/old.ts': debt },
      {
        a: { 'src/user.ts': nullable, 'src/old.ts': debt.replace('.name', '.name!') },
        b: { 'src/old.ts': null, 'src/new.ts': debt },
        c: { 'src/shout.ts': shout },
      },
    );
    expect((await check(repository)).found).toEqual([['V01', 'a', 'c']]);
  });

  test('is also found if a branch cannot be part of the full union', async () => {
    const repository = repositoryOf(base, {
      a: {
        'src/user.ts': user.replace('name: string', 'name: string; age: number').replace('""', '"", age: 1'),
      },
      b: { 'src/shout.ts': shout },
      d: { 'src/user.ts': nullable },
    });
    const { found } = await check(repository);
    expect(found).toContainEqual(['T01', 'a', 'd']);
    expect(found).toContainEqual(['V01', 'b', 'd']);
  });
});

test('one run is enough if the union is clean, and every project with a changed file is checked', async () => {
  const inner = tsconfig.replace('"src"', '"."');
  const repository = repositoryOf(
    {
      'one/tsconfig.json': inner,
      'one/a.ts': 'export const a = 1;\n',
      'two/tsconfig.json': inner,
      'two/b.ts': "import { a } from '../one/a';\nexport const b: number = a;\n",
      'three/tsconfig.json': inner,
      'three/c.ts': 'export {};\n',
    },
    { a: { 'one/a.ts': 'export const a = 2;\n' }, b: { 'one/more.ts': 'export const more = 1;\n' } },
  );
  const { report, code } = await check(repository);
  expect(code).toBe(0);
  expect(report.checkers?.map(({ project, runs }) => [project, runs])).toEqual([
    ['one/tsconfig.json', 1],
    ['two/tsconfig.json', 1],
  ]);
});

test('settings that version 7 refuses go to version 5.9, and the report says so', async () => {
  const old = tsconfig.replace('"bundler"', '"node10"').replace('esnext', 'commonjs');
  const repository = repositoryOf(
    { ...base, 'tsconfig.json': old },
    { a: { 'src/user.ts': nullable }, b: { 'src/shout.ts': shout } },
  );
  const { report, found } = await check(repository);
  expect(found).toEqual([['V01', 'a', 'b']]);
  expect(report.checkers?.[0]?.version).toMatch(/^5\.9\./);
  expect(report.degraded).toEqual([{ check: 'types', reason: expect.stringMatching(/TS510[28].*5\.9/) }]);
});

test('types that were demanded and cannot be checked make the check inconclusive; none means none', async () => {
  const repository = repositoryOf(
    { 'src/user.ts': user },
    { a: { 'src/user.ts': nullable }, b: { 'src/shout.ts': shout } },
  );
  expect(await check(repository)).toMatchObject({
    code: 0,
    runs: 0,
    report: { inconclusive: [], degraded: [] },
  });
  const demanded = await check(repository, ['--confirm', 'types']);
  expect(demanded.code).toBe(2);
  expect(demanded.report.inconclusive).toEqual([{ check: 'types', reason: 'there is no tsconfig.json' }]);
  const none = await check(
    repositoryOf(base, { a: { 'src/user.ts': nullable }, b: { 'src/shout.ts': shout } }),
    ['--confirm', 'none'],
  );
  expect(none).toMatchObject({ code: 0, runs: 0, found: [] });
});
