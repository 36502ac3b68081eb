import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { RunEvent } from '#schema/event.ts';
import type { RunReport } from '#schema/run.ts';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import { executable } from '../support/joinery.ts';
import { openPlanning, type PlanningBench } from '../support/planning.ts';

const project = {
  'package.json': '{"name":"p","type":"module"}\n',
  'joinery.json': JSON.stringify({ gates: { commands: [{ kind: 'test', run: 'node --test' }] } }),
  'sum.js': 'export function sum(list) {\n  return list.reduce((a, b) => a + b, 0);\n}\n',
  'sum.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from './sum.js';\ntest('sum', () => assert.equal(sum([1, 2]), 3));\n",
};
const mean =
  "import { sum } from './sum.js';\n\nexport function mean(list) {\n  return list.length === 0 ? 0 : sum(list) / list.length;\n}\n";
const meanTest =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { mean } from './mean.js';\ntest('mean', () => assert.equal(mean([1, 3]), 2));\ntest('nothing', () => assert.equal(mean([]), 0));\n";
const plan = (more: object = {}) => ({
  schema: 'joinery/plan@1',
  tasks: [
    {
      id: 'mean',
      title: 'Add mean',
      description: 'The mean of a list.',
      files: ['mean.js', 'mean.test.js'],
      ...more,
    },
  ],
});
const write = (path: string, content: string) => ({ write: { path, content } });
const at = (step: string, ...actions: object[]) => ({ task: 'mean', role: 'developer', step, do: actions });
const handIn = (notes: string, more: object = {}) => ({ handoff: { notes, ...more } });
const handOver = {
  kind: 'wr.coding_handoff',
  version: 1,
  branchName: 'mean',
  keyDecisions: ['the mean of nothing is 0'],
  knownLimitations: [],
  testsAdded: ['mean.test.js'],
  filesChanged: ['mean.js', 'mean.test.js'],
};
const always = { var: 'goal', not_equals: '' };
const readiness = {
  kind: 'wr.assessment',
  assessmentId: 'readiness',
  dimensions: {
    correctness: { level: 'shown', rationale: 'mean.test.js' },
    scope: { level: 'kept', rationale: 'two files' },
  },
};
const understand = at(
  'understand',
  handIn('It is small.', { context: { size: 'small', criteria: ['mean([1, 3]) is 2'] } }),
);
const build = at('build', write('mean.js', mean), write('mean.test.js', meanTest), handIn('Built it.'));
const walk = [
  understand,
  build,
  at('self-review', handIn('Read it.', { artifacts: [readiness] })),
  at('hand-over', handIn('Done.', { artifacts: [handOver] })),
  { task: 'mean', role: 'developer', do: [handIn('Ran the tests.')] },
];

function flags(bench: PlanningBench, tasks: object, attempts: readonly object[]): string[] {
  bench.write('plan.json', tasks);
  const scenario = bench.scenario({}, attempts);
  return ['run', '--plan', 'plan.json', '--agent', 'scripted', '--scenario', scenario, '--no-land'];
}

/** The steps in the log of the newest run: "understand accepted". */
async function stepsOf(bench: PlanningBench) {
  const { events } = (await bench.json<{ events: RunEvent[] }>('logs')).report;
  const stepped = events.filter((event) => event.type === 'attempt.stepped');
  const lines = stepped.map(({ data, attempt }) => `${attempt} ${data.step ?? data.workflow} ${data.status}`);
  return { events, lines, workflow: stepped.at(-1)?.data.run ?? '' };
}

test('the agent of a task follows a workflow; the output of the last step is the handoff', async () => {
  const bench = openPlanning(project);
  const { code, report } = await bench.json<RunReport>(
    ...flags(bench, plan({ workflow: 'coding-task' }), walk),
  );
  expect({ code, tasks: report.tasks }).toMatchObject({
    code: 0,
    tasks: [{ status: 'accepted', attempts: 1 }],
  });
  const { events, lines, workflow } = await stepsOf(bench);
  expect(lines).toEqual([
    '1 coding-task opened',
    ...['understand', 'build', 'verify.compare', 'verify.close-gaps', 'self-review', 'hand-over'].flatMap(
      (id) => [`1 ${id} begun`, `1 ${id} accepted`],
    ),
    '1 coding-task complete',
  ]);
  expect(events.find(({ type }) => type === 'attempt.played')?.data).toMatchObject({ form: 'typed' });
  const status = await bench.call('workflow', 'status', workflow);
  expect(status.stdout).toContain('Built it.');
  const listed = await bench.json<{ runs: { run: string; status: string }[] }>('workflow', 'runs');
  expect(listed.report.runs).toMatchObject([{ run: workflow, status: 'done' }]);
});

const flow = {
  id: 'two-steps',
  name: 'Two steps',
  description: 'Tests first.',
  version: '1.0.0',
  steps: [
    { id: 'tests', title: 'Write the tests', prompt: 'Write the tests for {{goal}}.' },
    { id: 'code', title: 'Write the code', prompt: 'Make them pass.' },
    { type: 'check', id: 'green', title: 'They pass', check: { kind: 'gates', mode: 'full' } },
  ],
};
const tests = at('tests', write('mean.test.js', meanTest), handIn('Two tests.'));
const last = { task: 'mean', role: 'developer', do: [] };

test('an agent that only talks does not pass a step that Joinery checks itself', async () => {
  const bench = openPlanning({ ...project, '.joinery/workflows/two-steps.json': JSON.stringify(flow) });
  const talk = at('code', handIn('All green, I swear.'));
  const { code, report } = await bench.json<RunReport>(
    ...flags(bench, plan({ workflow: 'two-steps' }), [tests, talk, last]),
  );
  expect(code).toBe(1);
  expect(report.tasks[0]).toMatchObject({ status: 'failed', reason: expect.stringMatching(/step green/) });
  const { lines } = await stepsOf(bench);
  expect(lines.slice(0, 8)).toEqual([
    '1 two-steps opened',
    '1 tests begun',
    '1 tests accepted',
    '1 code begun',
    '1 code accepted',
    ...['1 green refused', '1 green refused', '1 green refused'],
  ]);
});

test('killed in the middle of a step, it resumes with that step, on the files of the earlier ones', async () => {
  const bench = openPlanning({ ...project, '.joinery/workflows/two-steps.json': JSON.stringify(flow) });
  const slow = at('code', { sleepMs: 2500 }, write('mean.js', mean), handIn('Green.'));
  const args = flags(bench, plan(), [tests, slow, last]);
  const child = spawn(process.execPath, [executable, ...args, '--workflow', 'two-steps'], {
    cwd: bench.repo.dir,
    env: { ...process.env, ...bench.env },
  });
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    if (String(chunk).includes('step code (Write the code): begun')) break;
  }
  child.kill('SIGKILL');
  await once(child, 'close');
  const { code, report } = await bench.json<RunReport>('resume');
  expect({ code, tasks: report.tasks }).toMatchObject({ code: 0, tasks: [{ status: 'accepted' }] });
  const { lines } = await stepsOf(bench);
  expect(lines).toEqual([
    ...['1 two-steps opened', '1 tests begun', '1 tests accepted', '1 code begun'],
    ...['2 two-steps opened', '2 code begun', '2 code accepted', '2 green accepted', '2 two-steps complete'],
  ]);
  const head = `joinery/${report.run}/integration`;
  expect(bench.repo.git('show', `${head}:mean.test.js`)).toBe(meanTest.trimEnd());
});

test('a gate for a person is a question of the run; after approval the same step continues', async () => {
  const guarded = {
    ...flow,
    steps: flow.steps.map((step) =>
      step.id === 'tests'
        ? { ...step, requireConfirmation: { kind: 'human_approval', condition: always } }
        : step,
    ),
  };
  const bench = openPlanning({ ...project, '.joinery/workflows/two-steps.json': JSON.stringify(guarded) });
  const code = at('code', write('mean.js', mean), handIn('Green.'));
  const first = await bench.json<RunReport>(
    ...flags(bench, plan({ workflow: 'two-steps' }), [tests, code, last]),
  );
  expect(first.report.questions).toMatchObject([
    { text: expect.stringContaining('joinery workflow gate wf-') },
  ]);
  const { workflow } = await stepsOf(bench);
  const approved = await bench.json<WorkflowAnswer>('workflow', 'gate', workflow, 'approve');
  expect(approved.report.pending).toMatchObject({ stepId: 'code' });
  const second = await bench.json<RunReport>('retry', '--task', 'mean');
  const { lines } = await stepsOf(bench);
  expect({ lines: lines.slice(3), tasks: second.report.tasks }).toMatchObject({
    lines: [
      '2 two-steps opened',
      '2 code begun',
      '2 code accepted',
      '2 green accepted',
      '2 two-steps complete',
    ],
    tasks: [{ status: 'accepted' }],
  });
});

test('a missing workflow is reported before anything starts', async () => {
  const bench = openPlanning(project);
  const { code, stderr } = await bench.call(...flags(bench, plan({ workflow: 'coding-tsk' }), walk));
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('did you mean "coding-task"'),
  });
  expect((await bench.json<{ runs: unknown[] }>('runs')).report.runs).toEqual([]);
});

test('a check step names branches as people do', async () => {
  const checked = {
    ...flow,
    steps: [
      ...flow.steps.slice(0, 2),
      {
        type: 'check',
        id: 'fits',
        title: 'It fits the other branch',
        check: { kind: 'check', base: 'main', branches: ['HEAD', 'other'] },
      },
    ],
  };
  const bench = openPlanning({ ...project, '.joinery/workflows/two-steps.json': JSON.stringify(checked) });
  bench.repo.branch('other', {
    'sum.js': 'export function total(list) {\n  return list.reduce((a, b) => a + b, 0);\n}\n',
    'sum.test.js': 'import { total } from "./sum.js";\ntotal([]);\n',
  });
  const code = at('code', write('mean.js', mean), handIn('Green.'));
  await bench.call(...flags(bench, plan({ workflow: 'two-steps' }), [tests, code, last]));
  const { events, lines } = await stepsOf(bench);
  expect(lines.slice(0, 6)).toContain('1 fits refused');
  const refused = events.find((event) => event.type === 'attempt.stepped' && event.data.status === 'refused');
  expect(JSON.stringify(refused?.data)).toContain('sum');
});

test('a workflow that cannot start fails its task, not the run', async () => {
  const demanding = {
    ...flow,
    steps: [
      {
        type: 'loop',
        id: 'tickets',
        title: 'Each ticket',
        loop: { type: 'forEach', items: 'tickets', maxIterations: 3 },
        body: [flow.steps[0]],
      },
      ...flow.steps.slice(1),
    ],
  };
  const bench = openPlanning({ ...project, '.joinery/workflows/two-steps.json': JSON.stringify(demanding) });
  const { code, report } = await bench.json<RunReport>(
    ...flags(bench, plan({ workflow: 'two-steps' }), [tests, last]),
  );
  expect({ code, tasks: report.tasks }).toMatchObject({
    code: 1,
    tasks: [{ status: 'failed', reason: expect.stringContaining('tickets') }],
  });
});
