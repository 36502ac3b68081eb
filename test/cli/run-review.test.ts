import { describe, expect, test } from 'vitest';
import type { CostReport } from '#schema/cost-report.ts';
import type { RunReport } from '#schema/run.ts';
import { openPlanning, type PlanningBench } from '../support/planning.ts';

const project = {
  'package.json': '{"name":"p","type":"module"}\n',
  'joinery.json': JSON.stringify({
    gates: { commands: [{ kind: 'test', run: 'node --test' }] },
    review: { reviewers: ['scripted:opus', 'scripted:gpt-5'] },
  }),
  'sum.js': 'export function sum(list) {\n  return list.reduce((a, b) => a + b, 0);\n}\n',
  'sum.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from './sum.js';\ntest('sum', () => assert.equal(sum([1, 2]), 3));\n",
};
const head =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { mean } from './mean.js';\n";
/** Wrong for an empty list, which its test does not cover. */
const wrong =
  "import { sum } from './sum.js';\n\nexport function mean(list) {\n  return sum(list) / list.length;\n}\n";
const right = wrong.replace('return sum', 'return list.length === 0 ? 0 : sum');
const greenTest = `${head}test('mean', () => assert.equal(mean([1, 3]), 2));\n`;
const redTest = `${head}test('the mean of nothing', () => assert.equal(mean([]), 0));\n`;

const plan = {
  schema: 'joinery/plan@1',
  tasks: [
    {
      id: 'mean',
      title: 'Add mean',
      description: 'The mean of a list.',
      files: ['mean.js', 'mean.test.js'],
      acceptance: [],
    },
  ],
};
const empty = {
  severity: 'blocking',
  category: 'logic',
  file: 'mean.js',
  line: 4,
  symbol: 'mean',
  issue: 'The mean of an empty list is NaN.',
};
const say = (value: unknown) => [{ say: JSON.stringify(value) }, { usage: { in: 10, out: 5 } }];
const accepted = { accepted: [{ id: 'f1', reason: 'real' }], deferred: [], rejected: [], approved: false };
const write = (path: string, content: string) => ({ write: { path, content } });

function reviewers(n: number, ...findings: object[]): object[] {
  return [
    { role: 'reviewer', task: 'scripted', n, do: say({ findings }) },
    { role: 'reviewer', task: 'scripted-2', n, do: say({ findings: [] }) },
  ];
}
const developer = (n: number, ...actions: object[]) => ({ task: 'mean', role: 'developer', n, do: actions });
const prover = {
  role: 'prover',
  do: [
    write('mean-empty.test.js', redTest),
    ...say({ tests: [{ finding: 'f1', file: 'mean-empty.test.js' }] }),
  ],
};

async function play(bench: PlanningBench, attempts: readonly object[]) {
  bench.write('plan.json', plan);
  const scenario = bench.scenario({}, attempts);
  return bench.json<RunReport>(
    ...['run', '--plan', 'plan.json', '--agent', 'scripted', '--scenario', scenario, '--no-land'],
  );
}

describe('a run whose work is reviewed', () => {
  test('only accepted findings go back, with their red test, which has to pass unchanged', async () => {
    const bench = openPlanning(project);
    const { code, report } = await play(bench, [
      developer(1, write('mean.js', wrong), write('mean.test.js', greenTest)),
      developer(2, write('mean-empty.test.js', redTest.replace('assert.equal(mean([]), 0)', 'assert.ok(1)'))),
      developer(3, write('mean.js', right)),
      ...reviewers(1, empty, { ...empty, severity: 'minor', symbol: 'sum', issue: 'Name it average.' }),
      {
        role: 'assessor',
        n: 1,
        do: say({ ...accepted, rejected: [{ id: 'f2', reason: 'taste' }] }),
      },
      prover,
      ...reviewers(21),
    ]);
    expect(report.tasks).toMatchObject([{ id: 'mean', status: 'accepted', attempts: 3 }]);
    expect(code).toBe(0);
    const { branch } = report.tasks[0] ?? { branch: '' };
    expect(bench.repo.git('show', `${branch}:mean-empty.test.js`)).toBe(redTest.trimEnd());

    const { stdout: prompt } = await bench.call('artifact', 'show', 'prompt/mean@2');
    expect(prompt).toContain('mean-empty.test.js fails because of it');
    expect(prompt).not.toContain('average');
    const { stdout: log } = await bench.call('logs');
    expect(log).toMatch(/review: revise \(agreed\), 1 accepted, 0 deferred, 1 rejected/);
    expect(log).toContain('mean-empty.test.js was changed');
    expect(log).toMatch(/review: approve/);
    expect(log.match(/asked the reviewer/g)).toHaveLength(4);

    const { report: cost } = await bench.json<CostReport>('cost');
    expect(cost.asked.map(({ phase, role, reviewer }) => `${phase} ${role} ${reviewer ?? '-'}`)).toEqual([
      'review assessor -',
      'review prover -',
      'review reviewer scripted',
      'review reviewer scripted-2',
    ]);
  });

  test('a split is not averaged: the task waits for a person, and the final report says so', async () => {
    const bench = openPlanning(project);
    const deferred = {
      accepted: [],
      deferred: [{ id: 'f1', reason: 'unclear' }],
      rejected: [],
      approved: true,
    };
    const { code, report } = await play(bench, [
      developer(1, write('mean.js', wrong), write('mean.test.js', greenTest)),
      ...reviewers(1, empty),
      { role: 'assessor', do: say(deferred) },
    ]);
    expect(code).toBe(2);
    expect(report.tasks).toMatchObject([{ status: 'escalated', attempts: 1 }]);
    expect((await bench.call('report')).stdout).toMatch(/mean, attempt 1: uncertain, consensus split/);
  });
});

test('a spec that only asks a question starts no run', async () => {
  const bench = openPlanning(project);
  bench.write('specs/why.md', 'Why is the mean of an empty list not a number?\n');
  const { code, stderr } = await bench.call('run', 'specs/why.md', '--agent', 'scripted');
  expect(code).toBe(2);
  expect(stderr).toContain('asks a question');
  expect((await bench.json<{ runs: unknown[] }>('runs')).report.runs).toEqual([]);
});
