import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GroundReport } from '#schema/grounding.ts';
import { type Files, fingerprint, GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

const project: Files = {
  'AGENTS.md': '## Quality Gates\n- lint: `node lint.cjs`\n- test: `node --test`\n',
  'lint.cjs':
    "const bad = require('node:fs').readFileSync('src/two.js', 'utf8').includes('var');\nconsole.log(bad ? '1 error' : 'clean');\nprocess.exit(bad ? 1 : 0);\n",
  'src/one.js': 'exports.one = () => 1;\n',
};
const two: Files = {
  'src/two.js': 'exports.two = () => 2;\n',
  'src/two.test.js':
    "const { two } = require('./two.js');\nrequire('node:test').test('two', () => require('node:assert').equal(two(), 2));\n",
};
const tasks = [
  {
    id: 'two',
    title: 'Two',
    files: ['src/two.js'],
    acceptance: [
      { text: 'it is there', verifyBy: 'file_exists', arg: 'src/two.js' },
      { text: 'its tests pass', verifyBy: 'test', arg: 'src/two.test.js' },
      { text: 'it is clean', verifyBy: 'lint' },
    ],
  },
  { id: 'one', title: 'One', files: ['src/one.js'] },
];

function workOn(changed: Files, planned: readonly object[] = tasks) {
  const repository = new GitRepository();
  repository.commit(project);
  repository.branch('work', changed);
  const plan = join(temporaryFolder(), 'plan.json');
  writeFileSync(plan, JSON.stringify({ schema: 'joinery/plan@1', tasks: planned }));
  const state = temporaryFolder();
  const groundIn = (folder: string, ...args: string[]) =>
    joinery(['ground', ...args], {
      cwd: join(repository.dir, folder),
      env: { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: state },
    });
  const ground = (...args: string[]) => groundIn('', ...args);
  const report = async (...args: string[]) => {
    const { stdout, code } = await ground('work', '--plan', plan, '--json', ...args);
    return { code, report: GroundReport.strict().parse(JSON.parse(stdout)) };
  };
  return { repository, plan, ground, groundIn, report };
}

describe('joinery ground --plan', () => {
  test('checks a branch against a task of a plan and runs its criteria elsewhere', async () => {
    const { repository, report } = workOn(two);
    const before = fingerprint(repository.dir);
    const { code, report: found } = await report('--task', 'two');
    expect({ code, declared: found.declared, task: found.task }).toEqual({
      ...{ code: 0, declared: ['src/two.js'], task: 'two' },
    });
    expect(found.criteria.map(({ text, status }) => [text, status])).toEqual([
      ['it is there', 'met'],
      ['its tests pass', 'met'],
      ['it is clean', 'met'],
    ]);
    expect(fingerprint(repository.dir)).toEqual(before);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('finds tools that are installed in the project', async () => {
    const lint = [{ text: 'it is clean', verifyBy: 'lint' }];
    const { repository, report } = workOn(two, [{ ...tasks[0], acceptance: lint }]);
    repository.git('checkout', '--quiet', 'main');
    repository.commit({
      'AGENTS.md': '## Quality Gates\n- lint: `lint-it`\n',
      '.gitignore': 'node_modules\n',
    });
    const folder = join(repository.dir, 'node_modules/.bin');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'lint-it'), '#!/bin/sh\necho clean\n', { mode: 0o755 });
    expect((await report()).report.criteria).toMatchObject([{ status: 'met' }]);
  });

  test('fails an unmet criterion, with the reason', async () => {
    const { ground, plan } = workOn({ ...two, 'src/two.js': 'var two = () => 2;\nexports.two = two;\n' });
    const { code, stdout } = await ground('work', '--plan', plan, '--task', 'two');
    expect(code).toBe(1);
    expect(stdout).toContain('not met: it is clean (lint: exit code 1: 1 error)');
  });

  test('knows whose files a branch may not touch, and then runs nothing', async () => {
    const changed = { ...two, 'src/one.js': 'exports.one = () => 3;\n' };
    const { report } = workOn(changed);
    const { code, report: found } = await report('--task', 'two');
    expect(code).toBe(1);
    expect(found.criteria).toEqual([]);
    expect(found.checks.find(({ name }) => name === 'declared-scope')?.detail).toContain(
      'src/one.js belongs to task one, which is not finished',
    );
  });

  test('assumes that dependencies of a task are finished', async () => {
    const { report } = workOn({ ...two, 'src/one.js': 'exports.one = () => 1.0;\n' }, [
      { ...tasks[0], dependsOn: ['one'] },
      tasks[1] as object,
    ]);
    const { code, report: found } = await report('--task', 'two');
    expect(code).toBe(0);
    expect(found.checks.find(({ name }) => name === 'declared-scope')?.status).toBe('warn');
  });

  test('runs criteria in a named worktree, including uncommitted work', async () => {
    const { repository, ground, plan } = workOn(two);
    repository.git('checkout', '--quiet', 'work');
    repository.write({ 'src/two.test.js': two['src/two.test.js']?.replace(', 2)', ', 3)') ?? '' });
    const { code, stdout } = await ground('.', '--plan', plan, '--task', 'two', '--base', 'main');
    expect(code).toBe(1);
    expect(stdout).toContain('not met: its tests pass');
    expect(existsSync(join(repository.dir, 'src/two.test.js'))).toBe(true);
  });

  test.each(['.', '..'])('treats %s in a subfolder as its whole worktree', async (named) => {
    const { repository, groundIn, plan } = workOn(two);
    repository.git('checkout', '--quiet', 'work');
    repository.write({ 'docs/deep/a.md': '# A\n' });
    const from = named === '.' ? 'docs' : 'docs/deep';
    const typed = [named, '--plan', plan, '--task', 'two', '--base', 'main', '--json'];
    const found = GroundReport.parse(JSON.parse((await groundIn(from, ...typed)).stdout));
    expect(found.criteria.map(({ status }) => status)).toEqual(['met', 'met', 'met']);
    repository.write({ 'src/two.js': 'var two = () => 2;\nexports.two = two;\n' });
    const dirty = GroundReport.parse(JSON.parse((await groundIn(from, ...typed)).stdout));
    expect(dirty.branch.commit).not.toBe(found.branch.commit);
    expect(dirty.criteria.map(({ status }) => status)).toEqual(['met', 'met', 'unmet']);
    const entered = await joinery(['-C', join(repository.dir, from), 'ground', ...typed], {
      env: { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() },
    });
    expect(GroundReport.parse(JSON.parse(entered.stdout)).criteria).toEqual(dirty.criteria);
  });

  test.each([
    [['--task', 'two'], 'no-plan'],
    [['--plan', 'PLAN', '--task', 'nosuch'], 'unknown-task'],
    [['--plan', 'PLAN'], 'unknown-task'],
    [['--plan', 'PLAN', '--task', 'two', '--files', 'a'], 'declared-twice'],
  ])('%j is bad usage', async (args, error) => {
    const { ground, plan } = workOn(two);
    const typed = args.map((each) => (each === 'PLAN' ? plan : each));
    const { code, stdout, stderr } = await ground('work', ...typed, '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout).error.code).toBe(error);
    if (error === 'unknown-task') expect(stderr).toContain('two, one');
  });

  test('the only task of a plan need not be named', async () => {
    const { report } = workOn(two, tasks.slice(0, 1));
    expect((await report()).report.task).toBe('two');
  });
});
