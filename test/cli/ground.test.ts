import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sarifErrors } from '#report/testing/sarif-schema.ts';
import { parseXml } from '#report/testing/xml.ts';
import { GroundReport } from '#schema/grounding.ts';
import { fingerprint, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const project = {
  'package.json': '{"name":"p","scripts":{"test":"vitest run"}}\n',
  'src/one.ts': 'export function one() {\n  return 1;\n}\n',
  'src/one.test.ts':
    "import { one } from './one.ts';\n\ntest('one', () => {\n  expect(one()).toBe(1);\n});\n",
};
const two = {
  'src/two.ts': 'export function two() {\n  return 2;\n}\n',
  'src/two.test.ts':
    "import { two } from './two.ts';\n\ntest('two', () => {\n  expect(two()).toBe(2);\n});\n",
};
const cheat = { 'package.json': project['package.json'].replace('vitest run', 'exit 0') };

function makeRepository(): GitRepository {
  const repository = new GitRepository();
  repository.commit(project);
  repository.branch('good', two);
  repository.branch('cheat', { ...two, ...cheat });
  repository.branch('broken', { 'src/one.ts': 'export function {{{\n' });
  return repository;
}

function ground(repository: GitRepository, ...args: string[]) {
  return joinery(['ground', ...args], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: temporaryFolder(), LC_ALL: 'C.UTF-8' },
  });
}

async function report(repository: GitRepository, ...args: string[]) {
  const { stdout, code } = await ground(repository, ...args, '--json');
  return { code, report: GroundReport.strict().parse(JSON.parse(stdout)) };
}

describe('joinery ground', () => {
  test('reports whether the work of a branch holds up, by its exit code and in words', async () => {
    const repository = makeRepository();
    const good = await ground(repository, 'good');
    expect({ code: good.code, stderr: good.stderr }).toEqual({ code: 0, stderr: '' });
    expect(good.stdout).toMatch(/^✓ good holds up: 2 files since main/);
    const bad = await ground(repository, 'cheat');
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('✗ cheat does not hold up: 3 files since main');
    expect(bad.stdout).toContain('package.json: script "test" runs something else now');
    const broken = await ground(repository, 'broken');
    expect(broken.code).toBe(2);
    expect(broken.stdout).toContain('? broken cannot be judged');
    expect(broken.stdout).toContain('src/one.ts: line 1');
  });

  test('compares with the merge base, not with where the base is now', async () => {
    const repository = makeRepository();
    repository.commit({ 'src/three.ts': 'export const three = () => 3;\n', 'src/one.test.ts': null });
    const { report: found } = await report(repository, 'good');
    expect(found).toMatchObject({ status: 'pass', files: 2, base: { ref: 'main' } });
    expect(found.base.mergeBase).not.toBe(found.base.commit);
  });

  test('includes the uncommitted work of a worktree, and leaves it unchanged', async () => {
    const repository = makeRepository();
    repository.git('checkout', '-q', 'good');
    repository.write({ ...cheat, 'src/one.ts': 'export function one() {\n  return 4;\n}\n' });
    const before = fingerprint(repository.dir);
    const { code, report: found } = await report(repository, '.', '--base', 'main');
    expect(code).toBe(1);
    expect(found.checks.filter(({ status }) => status === 'fail').map(({ name }) => name)).toEqual([
      'gate-tampering',
    ]);
    expect(fingerprint(repository.dir)).toEqual(before);
  });

  test('compares the work with the declared files', async () => {
    const repository = makeRepository();
    const scope = async (files: string) =>
      (await report(repository, 'cheat', '--files', files)).report.checks.find(
        ({ name }) => name === 'declared-scope',
      )?.status;
    expect(await scope('src/,package.json')).toBe('pass');
    expect(await scope('src/two.ts')).toBe('warn');
    const { code } = await report(repository, 'cheat', '--files', 'src/,package.json');
    expect(code).toBe(0);
  });

  test('takes its settings from the base, not from the branch', async () => {
    const repository = makeRepository();
    const off = '{"grounding":{"checks":{"gate-tampering":"off"}}}';
    repository.branch('sly', { ...cheat, 'joinery.json': off });
    expect((await report(repository, 'sly')).code).toBe(1);
    repository.commit({ 'joinery.json': off });
    expect((await report(repository, 'cheat')).code).toBe(0);
  });

  test('writes JUnit and SARIF that other tools can read', async () => {
    const repository = makeRepository();
    const junit = parseXml((await ground(repository, 'cheat', '--format', 'junit')).stdout);
    expect(junit.attributes).toMatchObject({ name: 'joinery ground cheat', failures: '1' });
    const sarif = JSON.parse((await ground(repository, 'cheat', '--format', 'sarif')).stdout);
    expect(sarifErrors(sarif)).toEqual([]);
    expect(sarif.runs[0].results[0]).toMatchObject({ ruleId: 'gate-tampering', level: 'error' });
  });

  test('never prints a secret, in any format', async () => {
    const repository = makeRepository();
    const secret = ['gh', 'p_kQ7vR2mX9bT4nW8cY1zL5pD3sF6hJ0gA2eUu'].join('');
    repository.branch('leak', { 'src/one.ts': `${project['src/one.ts']}// ${secret}\n` });
    for (const format of ['terminal', 'json', 'junit', 'sarif']) {
      const { code, stdout, stderr } = await ground(repository, 'leak', '--format', format, '--verbose');
      expect(code).toBe(1);
      expect(stdout).toContain('a GitHub token');
      expect(stdout + stderr).not.toContain(secret.slice(8));
    }
  });

  test('a missing object makes the result inconclusive', async () => {
    const repository = makeRepository();
    repository.branch('holes', { 'notes.txt': 'some text that nothing else has\n' });
    const blob = repository.git('rev-parse', 'holes:notes.txt');
    rmSync(join(repository.dir, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    const { code, report: found } = await report(repository, 'holes');
    expect(code).toBe(2);
    expect(found.inconclusive[0]).toMatchObject({ file: 'notes.txt' });
  });

  test.each([
    [['nowhere'], 'there is no branch, tag or commit named "nowhere"'],
    [['good', '--base', 'gone'], 'there is no branch, tag or commit named "gone"'],
    [['good', '--files', '../x'], '"../x" is not a path from the top of the repository'],
    [[], 'branch'],
  ])('refuses %j with one line, the next command and exit code 3', async (args, message) => {
    const { code, stdout, stderr } = await ground(makeRepository(), ...args);
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
  });

  test('refuses a config in the base that it cannot read', async () => {
    const repository = makeRepository();
    repository.commit({ 'joinery.json': '{"grounding":{"undeclared":-1}}' });
    repository.write({ 'joinery.json': '{}' });
    const { code, stderr } = await ground(repository, 'good');
    expect(code).toBe(3);
    expect(stderr).toMatch(/in commit [0-9a-f]{12}: joinery\.json:1:\d+: "grounding\.undeclared"/);
  });
});
