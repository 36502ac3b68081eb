import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { counted, repeated } from '../support/counted.ts';
import { GitRepository } from '../support/git-repository.ts';
import { temporaryFolder } from '../support/joinery.ts';
import { seedRuns } from '../support/seed-runs.ts';

/** Six branches that change code and descriptions of data, two of them forked before base moved. */
function project(): { repository: GitRepository; branches: string[] } {
  const repository = new GitRepository();
  const schema = (names: readonly string[]) =>
    JSON.stringify(
      {
        openapi: '3.1.0',
        components: {
          schemas: Object.fromEntries(
            names.map((name) => [name, { type: 'object', properties: { id: { type: 'string' } } }]),
          ),
        },
      },
      null,
      2,
    );
  const module = (n: number, more = '') =>
    `import { shared } from './shared.ts';\nexport function f${n}(a: number) {\n  return shared(a);\n}\n${more}`;
  const modules = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`src/m${n}.ts`, module(n)]));
  repository.commit({
    'package.json': '{ "name": "p" }\n',
    'src/shared.ts': 'export function shared(a: number) {\n  return a;\n}\n',
    'api.json': schema(['Order']),
    'db/one.sql': 'create table orders (id int, note text);\n',
    ...modules,
  });
  const branches = Array.from({ length: 6 }, (_, n) => {
    if (n === 2) repository.commit({ 'src/m19.ts': module(19, 'export const moved = 1;\n') });
    const changes = {
      [`src/m${n}.ts`]: module(n, `export const added${n} = f${n}(${n});\n`),
      ...(n === 0 ? { 'api.json': schema(['Order', 'Refund']) } : {}),
      [`db/more${n}.sql`]: `alter table orders add column c${n} int;\n`,
    };
    repository.branch(`b${n}`, changes);
    return `b${n}`;
  });
  return { repository, branches };
}

describe('a check', () => {
  test('parses each blob once for each reader, and works out each question once', async () => {
    const { repository, branches } = project();
    const env = { JOINERY_CACHE_DIR: temporaryFolder() };
    const args = ['check', '--json', '--confirm', 'none', 'main', ...branches];
    const { parsed, answered } = await counted(args, { cwd: repository.dir, env });
    expect(parsed.length).toBeGreaterThan(20);
    expect(repeated(parsed)).toEqual([]);
    // News of a pair of versions grow with the kinds that a later survey asks for; which tree was linked last changes.
    expect(repeated(answered).filter((question) => !/^\["(?:news|latest)"/.test(question))).toEqual([]);
  });

  test('starts at most five programs after one commit, and one when nothing changed', async () => {
    const { repository, branches } = project();
    const cache = temporaryFolder();
    const check = () =>
      counted(['check', '--json', '--confirm', 'none', 'main', ...branches], {
        cwd: repository.dir,
        env: { JOINERY_CACHE_DIR: cache },
      });
    const cold = await check();
    const again = await check();
    expect({ stdout: again.stdout, programs: again.programs.length, parsed: again.parsed }).toEqual({
      stdout: cold.stdout,
      programs: 1,
      parsed: [],
    });
    repository.git('checkout', '-q', 'b3');
    repository.commit({ 'src/m3.ts': 'export const f3 = 3;\n' });
    const after = await check();
    expect(after.programs.length, after.programs.join('\n')).toBeLessThanOrEqual(5);
    // Only what reads or compares contents is started by a shell, which sets limits.
    for (const line of after.programs)
      expect(/^\/bin\/sh/.test(line), line).toBe(/ (?:merge-tree|diff-tree) |parser-program/.test(line));
    expect(after.parsed.length).toBeLessThanOrEqual(2);
  });

  test('keeps at most 40 kB for each branch', async () => {
    const { repository, branches } = project();
    const cache = temporaryFolder();
    const env = { JOINERY_CACHE_DIR: cache };
    await counted(['check', '--json', '--confirm', 'none', 'main', ...branches], {
      cwd: repository.dir,
      env,
    });
    const bytes = ['outcomes.db', 'facts.db'].map((name) => statSync(join(cache, name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0) / branches.length).toBeLessThanOrEqual(40_000);
  });
});

describe('a report is known', () => {
  const typed = () => {
    const { repository, branches } = project();
    mkdirSync(join(repository.dir, 'node_modules'), { recursive: true });
    repository.git('checkout', '-q', 'main');
    repository.commit({
      '.gitignore': 'node_modules\n',
      'tsconfig.json': '{ "files": ["src/shared.ts"] }\n',
    });
    const cache = temporaryFolder();
    const check = () =>
      counted(['check', '--json', 'main', ...branches], {
        cwd: repository.dir,
        env: { JOINERY_CACHE_DIR: cache },
      });
    return { repository, check };
  };

  test('in the default mode, until packages are installed', async () => {
    const { repository, check } = typed();
    const first = await check();
    const again = await check();
    expect({ stdout: again.stdout, programs: again.programs.length }).toEqual({
      stdout: first.stdout,
      programs: 1,
    });
    writeFileSync(join(repository.dir, 'node_modules', '.package-lock.json'), '{}');
    expect((await check()).programs.length).toBeGreaterThan(1);
    expect((await check()).programs.length).toBe(1);
  });

  test('also where a file of a branch does not parse', async () => {
    const { repository, branches } = project();
    repository.git('checkout', '-q', 'b1');
    repository.commit({ 'src/m1.ts': 'export function (\n' });
    const cache = temporaryFolder();
    const check = () =>
      counted(['check', '--json', '--confirm', 'none', 'main', ...branches], {
        cwd: repository.dir,
        env: { JOINERY_CACHE_DIR: cache },
      });
    const first = await check();
    expect(first.code).toBe(2);
    expect(await check()).toMatchObject({ code: 2, stdout: first.stdout, parsed: [], answered: [] });
  });

  test('in a clone that lacks objects, until one of them arrives', async () => {
    const { repository, branches } = project();
    repository.git('config', 'uploadpack.allowFilter', 'true');
    repository.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
    const clone = temporaryFolder();
    repository.git(
      'clone',
      '-q',
      '--bare',
      '--no-local',
      '--filter=blob:none',
      `file://${repository.dir}`,
      clone,
    );
    const partial = new GitRepository({ dir: clone });
    const cache = temporaryFolder();
    const check = (names: readonly string[]) =>
      counted(['check', '--json', '--confirm', 'none', 'main', ...names], {
        cwd: clone,
        env: { JOINERY_CACHE_DIR: cache },
      });
    const first = await check(branches);
    expect(JSON.parse(first.stdout).inconclusive).not.toEqual([]);
    const others = await check(branches.slice(0, 2));
    expect(await check(branches)).toMatchObject({ stdout: first.stdout, answered: [] });
    expect(await check(branches.slice(0, 2))).toMatchObject({ stdout: others.stdout, answered: [] });
    for (const branch of ['main', ...branches])
      for (const line of partial.git('ls-tree', '-r', branch).split('\n'))
        partial.git('cat-file', '-e', line.slice(12, 52));
    const whole = await check(branches);
    expect(JSON.parse(whole.stdout).inconclusive).toEqual([]);
  });
});

describe('modules loaded', () => {
  test.each([
    ['status', 250],
    ['questions', 250],
    ['runs', 250],
    // A signal for a run that no process drives is carried out here: this is the part before that.
    ['stop nobody', 250],
    ['steer nobody hello', 250],
  ])('%s loads at most %i', async (line, most) => {
    const repository = new GitRepository();
    repository.commit({ 'a.ts': 'export const a = 1;\n' });
    const env = { JOINERY_STATE_DIR: temporaryFolder(), JOINERY_CACHE_DIR: temporaryFolder() };
    await seedRuns(repository.dir, { ...process.env, ...env }, async (log) => {
      log.create('talk');
    });
    const { modules } = await counted(line.split(' '), { cwd: repository.dir, env });
    expect(modules.length).toBeGreaterThan(20);
    expect(modules.length).toBeLessThanOrEqual(most);
  });

  test('integrate of two branches loads no crew, no planner and no workflow', async () => {
    const { repository, branches } = project();
    const env = { JOINERY_STATE_DIR: temporaryFolder(), JOINERY_CACHE_DIR: temporaryFolder() };
    const { modules, stderr } = await counted(
      ['integrate', ...branches.slice(2, 4), '--into', 'main', '--json'],
      {
        cwd: repository.dir,
        env,
      },
    );
    expect(modules, stderr).toContain('app/runs/integrate-here.ts');
    const rooms = /^(?:crew\/(?!state\/names)|app\/planning|planning|workflow|agents)\//;
    expect(modules.filter((path) => rooms.test(path))).toEqual([]);
  });

  test('a report for the terminal loads no code that examines', async () => {
    const { repository, branches } = project();
    const env = { JOINERY_CACHE_DIR: temporaryFolder() };
    const args = ['check', '--confirm', 'none', 'main', ...branches];
    await counted(args, { cwd: repository.dir, env });
    const { modules, stdout } = await counted(args, { cwd: repository.dir, env });
    expect(stdout).not.toBe('');
    expect(
      modules.filter((path) => /^(?:check\/(?:examine\/examine\.ts|rules|pairs)|code)\//.test(path)),
    ).toEqual([]);
    expect(modules.length).toBeLessThanOrEqual(250);
  });
});
