import { describe, expect, test } from 'vitest';
import type { FinalReport } from '#schema/final-report.ts';
import { IntegrationReport, ReceiptReport } from '#schema/integration.ts';
import { QuestionsReport, RunReport } from '#schema/run.ts';
import { greetingPlan, openPlanning, type PlanningBench, verdict } from '#test/support/planning.ts';

const spec = 'specs/greeting.md';

const greet =
  "import type { User } from './user.ts';\nexport const greet = (user: User) => `Hello, ${user.name}!`;\n";
const work = [
  {
    task: 'greet',
    role: 'developer',
    do: [
      { write: { path: 'src/greet.ts', content: greet } },
      { write: { path: 'src/greet.test.ts', content: 'test("greets", () => {});\n' } },
    ],
  },
  {
    task: 'shout',
    role: 'developer',
    do: [
      {
        write: { path: 'src/shout.ts', content: 'export const shout = (text: string) => `${text}!`;\n' },
      },
    ],
  },
];

interface Story extends PlanningBench {
  readonly agent: readonly string[];
  main(): string;
  run(...args: string[]): Promise<{ code: number | null; report: RunReport; stderr: string }>;
}

function story(says: object = {}): Story {
  const bench = openPlanning();
  const scenario = bench.scenario({ architect: greetingPlan(), verifier: verdict(), ...says }, work);
  const agent = ['--agent', 'scripted', '--scenario', scenario];
  return {
    ...bench,
    agent,
    main: () => bench.repo.git('rev-parse', 'main'),
    async run(...args) {
      const { code, report, stderr } = await bench.json<unknown>('run', spec, ...agent, ...args);
      return { code, report: RunReport.parse(report), stderr };
    },
  };
}

describe('joinery run <spec>', () => {
  test('plans, verifies, works, proves and asks before it moves a branch; an answer lands it', async () => {
    const { run, main, json, repo } = story();
    const before = main();
    const { code, report } = await run();
    expect({ code, status: report.status }).toEqual({ code: 2, status: 'awaiting_human' });
    expect(report.phases.map(({ phase, status }) => `${phase} ${status}`)).toEqual([
      'plan pass',
      'verify pass',
      'integrate pass',
    ]);
    expect(report.spec).toBe(spec);
    expect(main()).toBe(before);
    expect(repo.git('status', '--porcelain')).toBe('');
    const [question] = report.questions;
    expect(question).toMatchObject({ kind: 'land', default: 'keep' });
    // The agents asked during planning count.
    expect(report.cost.tokens).toBeGreaterThanOrEqual(220);

    const answered = await json<unknown>('questions', 'answer', question?.id ?? '', 'land');
    expect(answered.code).toBe(0);
    expect(RunReport.parse(answered.report)).toMatchObject({ status: 'done', landed: { ref: 'main' } });
    expect(main()).not.toBe(before);
    expect(repo.git('status', '--porcelain')).toBe('');
    const receipt = await json<unknown>('receipt', 'verify', report.run);
    expect(ReceiptReport.parse(receipt.report)).toMatchObject({ status: 'pass', isDone: true });
    const undone = await json('undo', report.run, '--yes', '--update-checkout');
    expect(undone.code).toBe(0);
    expect(main()).toBe(before);
    // Whether it landed is computed: the run can land once more.
    expect((await json<FinalReport>('report', report.run)).report).toMatchObject({
      landed: null,
      next: [`joinery integrate ${report.run} --land --update-checkout`],
    });
    const again = await json<unknown>('integrate', report.run, '--land', '--update-checkout');
    expect(IntegrationReport.parse(again.report).status).toBe('landed');
    expect(main()).toBe(RunReport.parse(answered.report).landed?.after);
    repo.git('reset', '-q', '--hard', before);
    expect((await json<FinalReport>('report', report.run)).report.landed).toBeNull();
  });

  test('accepted work that no longer fits its target does not land, and the run is not called done', async () => {
    const { run, json, repo } = story();
    const { report } = await run('--no-land');
    const other =
      "import type { User } from './user.ts';\nexport const greet = (user: User) => `Hi ${user.name}`;\n";
    repo.commit({ 'src/greet.ts': other });
    const blocked = await json<unknown>('integrate', report.run, '--land', '--update-checkout');
    expect({ code: blocked.code, status: IntegrationReport.parse(blocked.report).status }).toEqual({
      code: 4,
      status: 'conflict',
    });
    const part = await json<unknown>('integrate', report.run, '--partial', '--land', '--update-checkout');
    expect(IntegrationReport.parse(part.report)).toMatchObject({
      status: 'landed',
      left: [{ ref: `joinery/${report.run}/greet` }],
    });
    const final = (await json<FinalReport>('report', report.run)).report;
    expect(final).toMatchObject({
      status: 'failed',
      landed: { tasks: ['shout'] },
      notLanded: [{ task: 'greet', status: 'accepted' }],
    });
    expect(final.notLanded[0]?.reason).toContain('does not merge: src/greet.ts');
    expect(repo.git('show', 'main:src/greet.ts')).toBe(other.trimEnd());
  });

  test('--yes alone never moves the branch; joinery integrate --land does', async () => {
    const { run, main, json } = story();
    const before = main();
    const { code, report } = await run('--yes');
    expect({ code, status: report.status, landed: report.landed }).toEqual({
      code: 0,
      status: 'done',
      landed: null,
    });
    expect(main()).toBe(before);
    const proven = await json<unknown>('integrate', report.run);
    expect(IntegrationReport.parse(proven.report)).toMatchObject({
      status: 'ready',
      next: `joinery integrate ${report.run} --land --update-checkout`,
    });
    expect(main()).toBe(before);
    const refused = await json<unknown>('integrate', report.run, '--land');
    expect(refused.code).toBe(2);
    expect(IntegrationReport.parse(refused.report).next).toContain('merge --ff-only');
    expect(main()).toBe(before);
    const landed = await json<unknown>('integrate', '--land', '--update-checkout');
    expect(landed.code).toBe(0);
    expect(IntegrationReport.parse(landed.report)).toMatchObject({ status: 'landed' });
    expect(main()).not.toBe(before);
    const again = await json<unknown>('integrate', report.run, '--land');
    expect(again.code).toBe(0);
  });

  test('--land moves it, --no-land leaves it on its branch', async () => {
    const landing = story();
    const landed = await landing.run('--land', '--update-checkout');
    expect({ code: landed.code, status: landed.report.status }).toEqual({ code: 0, status: 'done' });
    expect(landed.report.landed?.after).toBe(landing.main());
    const keeping = story();
    const before = keeping.main();
    const kept = await keeping.run('--no-land');
    expect({ code: kept.code, status: kept.report.status }).toEqual({ code: 0, status: 'done' });
    expect(keeping.main()).toBe(before);
    expect(kept.stderr).toContain('integrate done');
  });

  test('a checkout with changes is not touched: the run waits and prints the command that finishes it', async () => {
    const { run, main, write, json, call } = story();
    const before = main();
    write('src/shout.ts', 'my own work\n');
    const { code, report } = await run('--land', '--update-checkout', '--yes');
    expect({ code, status: report.status }).toEqual({ code: 2, status: 'awaiting_human' });
    expect(report.questions[0]?.text).toContain('merge --ff-only');
    expect(main()).toBe(before);
    // A yes cannot be carried out: the question stays open, and no other takes its place.
    const id = report.questions[0]?.id ?? '';
    for (const _ of [1, 2]) {
      const yes = await call('questions', 'answer', id, 'land');
      expect(yes.code).toBe(2);
      expect(yes.stderr).toMatch(/has changes, so nothing landed and land-\d+ is still open\. Next: /);
    }
    const open = (await json<QuestionsReport>('questions', 'list')).report.questions;
    expect(open.map((each) => each.id)).toEqual([id]);
    const left = await json<unknown>('questions', 'answer', report.questions[0]?.id ?? '', 'keep');
    expect(left.code).toBe(0);
    expect((await json<RunReport>('status', report.run)).report.status).toBe('done');
  });

  test('the printed git command lands it too: git decides whether it landed', async () => {
    const { run, main, json, repo, call } = story();
    const { code, report } = await run('--land');
    expect({ code, status: report.status }).toEqual({ code: 2, status: 'awaiting_human' });
    const command = /git -C (\S+) merge --ff-only ([0-9a-f]{40})/.exec(report.questions[0]?.text ?? '');
    repo.git('merge', '-q', '--ff-only', command?.[2] ?? '');
    const done = await json<RunReport>('status', report.run);
    expect({ code: done.code, status: done.report.status, open: done.report.questions }).toEqual({
      code: 0,
      status: 'done',
      open: [],
    });
    expect(done.report.landed?.after).toBe(main());
    expect((await json<FinalReport>('report', report.run)).report).toMatchObject({
      landed: { tasks: ['greet', 'shout'] },
      notLanded: [],
    });
    expect((await json<QuestionsReport>('questions', 'list')).report.questions).toEqual([]);
    expect((await call('runs')).stdout).toMatch(/ done /);
    // The log is updated with the next write.
    expect((await json<RunReport>('resume', report.run)).code).toBe(0);
    expect((await json<RunReport>('resume', report.run)).report.landed?.after).toBe(main());
    const undone = await json('undo', report.run, '--yes', '--update-checkout');
    expect(undone.code).toBe(0);
    expect((await json<RunReport>('status', report.run)).report.landed).toBeNull();
  });

  test('a plan that fails verification waits for a person, who can accept it as it is', async () => {
    const drifted = verdict({
      status: 'needs_human',
      needs_human: [{ file: 'specs/greeting.md', issue: 'two readings', options: ['a', 'b'] }],
    });
    const { run, json } = story({ verifier: drifted });
    const { code, report } = await run('--no-land');
    expect({ code, status: report.status, tasks: report.tasks }).toEqual({
      code: 2,
      status: 'awaiting_human',
      tasks: [],
    });
    const [question] = report.questions;
    expect(question?.evidence.join()).toContain('two readings');
    const answered = await json<unknown>('questions', 'answer', question?.id ?? '', 'accept');
    expect(QuestionsReport.parse(answered.report).questions[0]?.answer).toBe('accept');
    const resumed = await json<RunReport>('resume', report.run);
    expect({ code: resumed.code, status: resumed.report.status }).toEqual({ code: 0, status: 'done' });
  });

  test('a person who rejects the plan ends the run with the answer', async () => {
    const { run, json } = story({ architect: 'no plan' });
    const { code, report } = await run();
    expect({ code, status: report.status }).toEqual({ code: 2, status: 'awaiting_human' });
    const answered = await json<RunReport>('questions', 'answer', report.questions[0]?.id ?? '', 'stop');
    expect({ code: answered.code, status: answered.report.status }).toEqual({ code: 1, status: 'failed' });
  });

  test('a spec that fails its audit costs nothing and is reported', async () => {
    const { run, write } = story();
    write(spec, 'no headings at all\n');
    const { code, report } = await run();
    expect({ code, status: report.status, tokens: report.cost.tokens }).toEqual({
      code: 1,
      status: 'failed',
      tokens: 0,
    });
    expect(report.reason).toContain('audit');
  });
});

describe('the choice of agent', () => {
  test('without an agent that is named or installed nothing starts', async () => {
    const { call, env } = story();
    env.PATH = `${process.execPath.replace(/\/node$/, '')}:/usr/bin:/bin`;
    const { code, stderr } = await call('run', spec);
    expect(code).toBe(5);
    expect(stderr).toContain('joinery agents');
    // Typed arguments are checked first.
    expect((await call('plan', 'specs/nope.md')).stderr).toContain('there is no file specs/nope.md');
    expect((await call('verify', 'nope.json')).stderr).toContain('nope.json: there is no such file');
  });

  test('the project names the agent of the run and of a role', async () => {
    const { json, repo, agent } = story();
    repo.commit({
      'joinery.json': JSON.stringify({
        run: { agent: 'scripted', land: 'never' },
        agents: { roles: { verifier: 'nobody' } },
      }),
    });
    const [, , ...scenario] = agent;
    const missing = await json<{ error: { message: string } }>('run', spec, ...scenario);
    expect(missing.report.error.message).toContain('nobody');
    repo.commit({ 'joinery.json': JSON.stringify({ run: { agent: 'scripted', land: 'never' } }) });
    const { code, report } = await json<RunReport>('run', spec, ...scenario);
    expect({ code, status: report.status }).toEqual({ code: 0, status: 'done' });
  });
});
