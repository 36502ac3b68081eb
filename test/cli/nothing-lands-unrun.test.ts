import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DoctorReport } from '#schema/command-reports.ts';
import type { FinalReport } from '#schema/final-report.ts';
import { IntegrationReport, type ReceiptReport } from '#schema/integration.ts';
import { RunReport } from '#schema/run.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';

type Files = Readonly<Record<string, string>>;

/** A repository whose tests are found, and branches on it. */
function projectOf(base: Files, branches: Readonly<Record<string, Files>>) {
  const repository = new GitRepository();
  repository.commit(base);
  for (const [name, files] of Object.entries(branches)) repository.branch(name, files);
  const env = { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() };
  const run = (...args: string[]) => joinery(args, { cwd: repository.dir, env });
  const main = () => repository.git('rev-parse', 'main');
  const land = async (...args: string[]) => {
    const before = main();
    const { code, stdout, stderr } = await run('integrate', ...args, '--land', '--update-checkout', '--json');
    const report = IntegrationReport.parse(JSON.parse(stdout));
    const step = report.steps.find(({ name }) => name === 'tests');
    return { code, stderr, report, step, hasMoved: main() !== before };
  };
  return { repository, run, main, land };
}

const manifest = '{"type":"module","scripts":{"test":"node --test"}}';
const testOf = (body: string) =>
  `import test from 'node:test';\nimport assert from 'node:assert';\n${body}\n`;

const load = "export function load() {\n  return { name: 'x' };\n}\n";
const asyncLoad = load.replace('export function', 'export async function');
const label =
  "import { load } from './load.js';\nexport function label() {\n  return load().name.toUpperCase();\n}\n";
const labelTest = testOf(
  "import { label } from '../src/label.js';\ntest('label shouts', () => assert.equal(label(), 'X'));",
);
const loadTest = testOf(
  "import { load } from '../src/load.js';\ntest('load', async () => assert.equal((await load()).name, 'x'));",
);
const base = { 'package.json': manifest, 'src/load.js': load, 'test/load.test.js': loadTest };
const clash = {
  a: { 'src/load.js': asyncLoad },
  b: { 'src/label.js': label, 'test/label.test.js': labelTest },
};

describe('the example: load becomes async, another branch calls it without await and brings a test', () => {
  test('does not land by integrate: the test judges the finding, in every surface', async () => {
    const { land, run } = projectOf(base, clash);
    const { code, report, step, stderr, hasMoved } = await land('a', 'b');
    expect({ code, status: report.status, hasMoved }).toEqual({
      code: 1,
      status: 'blocked',
      hasMoved: false,
    });
    expect(stderr).toContain(
      'running the tests on the result: npm test (package.json), never timed, at most 10 min',
    );
    expect(step?.status).toBe('fail');
    // Newer versions of Node name the file of a case.
    const shouts = expect.stringMatching(/^test:(?:test\/label\.test\.js > )?label shouts$/);
    const judged = report.findings.map(({ rule, judge, effect, branches }) => ({
      rule,
      judge,
      effect,
      branches,
    }));
    expect(judged).toContainEqual({
      ...{ rule: 'S08', judge: shouts, effect: 'stops' },
      branches: expect.arrayContaining(['a', 'b']),
    });
    expect(judged).toContainEqual({
      ...{ rule: 'V03', judge: shouts, effect: 'stops' },
      branches: ['a', 'b'],
    });
    const shown = await run('integrate', 'a', 'b');
    expect(shown.stdout).toMatch(
      /V03 \w{8} test\/label\.test\.js:4: test "(?:test\/label\.test\.js > )?label shouts" passes on b and fails when a and b are merged/,
    );
  });

  test('does not land by a run: log and report have the finding', async () => {
    const { repository, run, main } = projectOf(base, {});
    const file = (name: string, content: object) => {
      const path = join(temporaryFolder(), name);
      writeFileSync(path, JSON.stringify(content));
      return path;
    };
    const task = (id: string, files: Files) => ({
      plan: { id, title: `Task ${id}` },
      attempt: {
        task: id,
        do: Object.entries(files).map(([path, content]) => ({ write: { path, content } })),
      },
    });
    const tasks = [
      task('a', { ...clash.a, 'test/load.test.js': `${loadTest}// async\n` }),
      task('b', clash.b),
    ];
    const plan = file('plan.json', { schema: 'joinery/plan@1', tasks: tasks.map((each) => each.plan) });
    const scenario = file('scenario.json', {
      schema: 'joinery/scenario@1',
      attempts: tasks.map(({ attempt }) => attempt),
    });
    const before = main();
    const ran = await run(
      ...['run', '--plan', plan, '--agent', 'scripted', '--scenario', scenario],
      ...['--land', '--update-checkout', '--yes', '--json'],
    );
    const report = RunReport.parse(JSON.parse(ran.stdout));
    expect({ code: ran.code, landed: report.landed, isThere: main() === before }).toEqual({
      code: 1,
      landed: null,
      isThere: true,
    });
    const final = JSON.parse((await run('report', report.run, '--json')).stdout) as FinalReport;
    expect(JSON.stringify(final)).toContain('load is asynchronous');
    expect((await run('logs', report.run, '--json')).stdout).toContain('load is asynchronous');
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  test('its twin lands: b awaits, and the receipt names the run that proves it', async () => {
    const fits = {
      'src/label.js': label
        .replace('function label', 'async function label')
        .replace('load()', '(await load())'),
      'test/label.test.js': labelTest.replace('() =>', 'async () =>').replace('label()', 'await label()'),
    };
    const { land, run } = projectOf(base, { a: clash.a, b: fits });
    const { code, report, step, hasMoved } = await land('a', 'b');
    expect({ code, status: report.status, hasMoved }).toEqual({ code: 0, status: 'landed', hasMoved: true });
    expect(step).toMatchObject({
      status: 'pass',
      detail: expect.stringMatching(/^npm test \(package\.json\): 2 cases green, [\d.]+ s$/),
    });
    const { receipt } = JSON.parse(
      (await run('receipt', 'show', report.id, '--json')).stdout,
    ) as ReceiptReport;
    expect(receipt.evidence).toMatchObject([
      { gate: 'javascript/test', status: 'pass', command: 'npm test' },
    ]);
    expect(receipt.unproven).toBeUndefined();
  });
});

describe('a finding that nobody has judged', () => {
  test('is refuted by green tests that ran its lines, and lands', async () => {
    // Without the name it says X all the same.
    const tolerant = label.replace('load().name', "(load().name ?? 'x')");
    const { land } = projectOf(base, { a: clash.a, b: { ...clash.b, 'src/label.js': tolerant } });
    const { code, report } = await land('a', 'b');
    expect(code).toBe(0);
    expect(report.findings.find(({ rule }) => rule === 'S08')).toMatchObject({
      effect: 'shown',
      note: 'refuted: green tests ran src/label.js:3',
    });
  });

  test('stays a question where no test runs its lines, and says which', async () => {
    const { land } = projectOf(base, { a: clash.a, b: { 'src/label.js': label } });
    const { code, report, hasMoved } = await land('a', 'b');
    expect({ code, status: report.status, hasMoved }).toEqual({
      code: 2,
      status: 'undecided',
      hasMoved: false,
    });
    expect(report.findings.find(({ rule }) => rule === 'S08')).toMatchObject({
      effect: 'asks',
      note: 'tests are green, none runs src/label.js:3',
    });
  });
});

/** Tests as TAP from a shell line: cheap, and what they say is exact. */
const gates = (line: string) => ({ 'AGENTS.md': `## Quality Gates\n\n- test: \`${line}\`\n` });
const tap = (...lines: string[]) => `printf 'TAP version 13\\n${lines.join('\\n')}\\n1..${lines.length}\\n'`;
const change = { a: { 'a.txt': 'a\n' } };

describe('what a run proves', () => {
  test('nothing, where its runner names no case: landing is a decision too, and the receipt keeps why', async () => {
    const { land, run } = projectOf(gates('echo fine'), change);
    expect(await land('a')).toMatchObject({ code: 2, hasMoved: false });
    const landed = await land('a', '--unproven');
    expect(landed).toMatchObject({ code: 0, hasMoved: true });
    const { stdout } = await run('receipt', 'show', landed.report.id, '--json');
    expect((JSON.parse(stdout) as ReceiptReport).receipt.unproven).toMatchObject({
      reason: expect.stringContaining('names no test that ran'),
    });
  });

  test('nothing, where nothing is found to run: landing is a decision, kept in the receipt', async () => {
    const { land, run } = projectOf({ 'x.txt': 'x\n' }, change);
    const kept = await land('a');
    expect(kept).toMatchObject({ code: 2, hasMoved: false, step: { status: 'undecided' } });
    expect(kept.report.next).toMatch(/--land --update-checkout --unproven$/);
    const landed = await land('a', '--unproven');
    expect(landed).toMatchObject({ code: 0, hasMoved: true });
    const { receipt } = JSON.parse(
      (await run('receipt', 'show', landed.report.id, '--json')).stdout,
    ) as ReceiptReport;
    expect(receipt.unproven).toMatchObject({
      reason: expect.stringContaining('nothing was run'),
      by: expect.stringMatching(/ \(terminal\)$/),
    });
    expect((await run('receipt', 'show', landed.report.id)).stdout).toMatch(
      /unproven nothing was run.* \(terminal\)/,
    );
  });

  test.each([
    ['a number without a name', 'echo 1 passed', 'its runner names no test that ran'],
    ['a runner that is not there', 'no-such-runner', 'it is not installed'],
    ['a runner that waits', "echo 'Waiting for file changes...'; sleep 600", 'its runner waits for changes'],
    ['no test at all', tap('ok 1 - later # SKIP'), 'its runner names no test that ran'],
  ])('is no proof: %s', async (_name, line, reason) => {
    const { land } = projectOf(gates(line), change);
    const { code, step, hasMoved } = await land('a');
    expect({ code, hasMoved, step }).toEqual({
      ...{ code: 2, hasMoved: false },
      step: { name: 'tests', status: 'undecided', detail: expect.stringContaining(reason) },
    });
  });

  test('a base that is red is said, and does not stop what adds nothing to it', async () => {
    const red = gates(`${tap('ok 1 - adds', 'not ok 2 - old trouble')}; exit 1`);
    const { code, step, hasMoved } = await projectOf(red, change).land('a');
    expect({ code, hasMoved, status: step?.status }).toEqual({ code: 0, hasMoved: true, status: 'pass' });
    expect(step?.detail).toContain('base: 1 red ("old trouble"); 0 new; 1 of 2 cases green');
  });

  test('a flaky test is named and no verdict', async () => {
    const mark = join(temporaryFolder(), 'mark');
    const green = tap('ok 1 - adds', 'ok 2 - sways');
    const line = `test -e ${mark} && { ${green}; exit 0; }; touch ${mark}; ${tap('ok 1 - adds', 'not ok 2 - sways')}; exit 1`;
    const { code, step } = await projectOf(gates(line), change).land('a');
    expect(step?.detail).toContain('1 flaky, red and green on one tree: "sways"');
    // Which file it is in is not known: it may be one that the work brings.
    expect({ code, status: step?.status }).toEqual({ code: 2, status: 'undecided' });
  });

  test('with --partial the smallest guilty set stays behind, the rest lands', async () => {
    const line = `test -e a.txt && test -e b.txt && { ${tap('not ok 1 - fits')}; exit 1; }; ${tap('ok 1 - fits')}`;
    const { land } = projectOf(gates(line), {
      ...change,
      b: { 'b.txt': 'b\n' },
      c: { 'c.txt': 'c\n' },
    });
    const blocked = await land('a', 'b', 'c');
    expect(blocked.step?.detail).toContain('"fits" green on main, red with a and b');
    const { code, report, hasMoved } = await land('a', 'b', 'c', '--partial');
    expect({ code, status: report.status, hasMoved }).toEqual({ code: 0, status: 'landed', hasMoved: true });
    expect(report.merged.map(({ ref }) => ref)).toEqual(expect.arrayContaining(['c']));
    expect(report.merged).toHaveLength(2);
    expect(report.left).toMatchObject([{ reason: expect.stringContaining('when a and b are merged') }]);
  });

  test('a test file that cannot be loaded on its own side is no evidence', async () => {
    const { land } = projectOf(base, {
      b: { 'test/new.test.js': testOf("import 'dep';\ntest('new', () => {});") },
    });
    const { code, step, hasMoved } = await land('b');
    expect({ code, hasMoved, status: step?.status }).toEqual({
      code: 2,
      hasMoved: false,
      status: 'undecided',
    });
    expect(step?.detail).toMatch(
      /1 of \d test files could not be loaded \(test\/new\.test\.js\): Cannot find package 'dep'/,
    );
  });

  test('a result is kept: the same tree is not run twice', async () => {
    const count = join(temporaryFolder(), 'count');
    const { run } = projectOf(gates(`echo run >> ${count}; ${tap('ok 1 - adds')}`), change);
    for (let n = 0; n < 2; n++) expect((await run('integrate', 'a')).code).toBe(0);
    expect(readFileSync(count, 'utf8')).toBe('run\n');
  });
});

test('the packages of a workspace are there as in the checkout; a changed lock file that cannot be installed offline is said', async () => {
  const lock = (version: string) => JSON.stringify({ lockfileVersion: 3, packages: { dep: { version } } });
  const { repository, land } = projectOf(
    {
      '.gitignore': 'node_modules\n',
      'package.json': '{"workspaces":["packages/*"],"scripts":{"test":"node --test packages/*/*.test.js"}}',
      'package-lock.json': lock('1.0.0'),
      'packages/a/package.json': '{"name":"a","dependencies":{"dep":"1.0.0"}}',
      'packages/a/a.test.js': "require('node:test')('dep is there', () => require('dep'));\n",
    },
    { b: { 'b.txt': 'b\n' }, c: { 'package-lock.json': lock('2.0.0') } },
  );
  const folder = join(repository.dir, 'packages/a/node_modules/dep');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), '');
  const landed = await land('b');
  expect(landed.step?.detail).toContain('1 case green');
  expect(landed.code).toBe(0);
  const unsure = await land('c');
  expect(unsure).toMatchObject({ code: 2, hasMoved: false });
  expect(unsure.step?.detail).toContain(
    "package-lock.json changed and 'npm ci --offline --ignore-scripts --no-audit --no-fund' failed: packages/a/node_modules is the one of the checkout",
  );
});

test('doctor says how the project is tested, and what ran in a copy', async () => {
  const { run } = projectOf(base, change);
  const tests = async () =>
    (JSON.parse((await run('doctor', '--json')).stdout) as DoctorReport).checks.find(
      ({ name }) => name === 'tests',
    );
  expect(await tests()).toMatchObject({
    status: 'pass',
    found: 'npm test (package.json), not run in a copy yet',
  });
  await run('integrate', 'a');
  expect((await tests())?.found).toMatch(/^npm test \(package\.json\), 1 case ran in a copy in [\d.]+ s$/);
});
