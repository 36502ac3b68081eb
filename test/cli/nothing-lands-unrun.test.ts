import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
    const judged = report.findings.map(({ rule, judge, effect, branches }) => ({
      rule,
      judge,
      effect,
      branches,
    }));
    expect(judged).toContainEqual({
      ...{ rule: 'S08', judge: 'test:label shouts', effect: 'stops' },
      branches: expect.arrayContaining(['a', 'b']),
    });
    expect(judged).toContainEqual({
      ...{ rule: 'V03', judge: 'test:label shouts', effect: 'stops' },
      branches: ['a', 'b'],
    });
    const shown = await run('integrate', 'a', 'b');
    expect(shown.stdout).toMatch(
      /V03 \w{8} test\/label\.test\.js:4: test "label shouts" passes on b and fails when a and b are merged/,
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
