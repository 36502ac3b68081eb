import { expect, test } from 'vitest';
import type { CostReport } from '#schema/cost-report.ts';
import { RunReport } from '#schema/run.ts';
import { greetingCode, greetingPlan, openPlanning, verdict } from '../support/planning.ts';

const say = (value: unknown) => [{ usage: { in: 100, out: 10 } }, { say: JSON.stringify(value) }];
const role = (name: string, n: number | null, value: unknown) => ({
  role: name,
  ...(n === null ? {} : { n }),
  do: say(value),
});
const objection = (vector: string, quote: string, issue: string) => ({
  ...{ vector, severity: 'blocking', quote, issue, suggestion: 'Say what happens then.' },
});
const answer = (...findings: object[]) => ({ findings, right: 'It is short.' });
const approved = answer();
const raised = answer(objection('scope', '"title": "Shout"', 'Nobody asked for shouting.'));

function open(challenge: readonly string[], attempts: readonly object[]) {
  const settings = JSON.stringify({ run: { challenge } });
  const bench = openPlanning({
    ...greetingCode,
    'joinery.json': settings,
    'AGENTS.md': 'CANARY-OF-A-GUIDE\n',
  });
  const work = { role: 'developer', do: [{ exit: 'crashed' }] };
  const scenario = bench.scenario({ verifier: verdict() }, [...attempts, work]);
  const flags = ['--agent', 'scripted', '--scenario', scenario, '--no-land'];
  return {
    ...bench,
    async run() {
      const { code, report } = await bench.json<unknown>('run', 'specs/greeting.md', ...flags);
      return { code, report: RunReport.parse(report) };
    },
  };
}

const stations = ({ phases }: RunReport) => phases.map(({ phase, status }) => `${phase} ${status}`);

test('a plan with objections is revised, and the architect receives each of them', async () => {
  const bench = open(
    ['plan'],
    [
      role('architect', 1, greetingPlan()),
      role('plan-challenger', 1, raised),
      role('architect', 11, greetingPlan({ concerns: ['shouting is asked for by the criteria'] })),
      role('plan-challenger', 11, approved),
    ],
  );
  const { report } = await bench.run();
  expect(stations(report).slice(0, 5)).toEqual([
    ...['plan pass', 'challenge fail', 'plan pass', 'challenge pass', 'verify pass'],
  ]);
  const told = report.phases.find(({ phase, status }) => phase === 'challenge' && status === 'fail');
  expect(told?.detail).toBe('plan: revise, 1 objection holds');
  const { report: cost } = await bench.json<CostReport>('cost', report.run);
  expect(cost.asked).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ phase: 'challenge', role: 'plan-challenger', times: 2 }),
    ]),
  );
});

test('remaining objections become a question; if accepted, the run continues with the plan as it is', async () => {
  const bench = open(
    ['plan'],
    [role('architect', null, greetingPlan()), role('plan-challenger', null, raised)],
  );
  const { code, report } = await bench.run();
  expect({ code, stations: stations(report) }).toEqual({
    code: 2,
    stations: ['plan pass', 'challenge fail', 'plan pass', 'challenge fail'],
  });
  const [question] = report.questions;
  expect(question).toMatchObject({
    id: expect.stringMatching(/^challenge-plan-/),
    text: 'the challenger of the plan says revise: 1 objection holds',
    evidence: ['scope: Nobody asked for shouting.'],
  });
  await bench.call('questions', 'answer', question?.id ?? '', 'accept');
  const { report: after } = await bench.json<unknown>('resume', report.run);
  expect(stations(RunReport.parse(after))).toContain('verify pass');
});

test('a fundamentally wrong spec is asked about before anything is planned', async () => {
  const quote = 'A user without a name is greeted with "Hello, stranger!".';
  const root = ['a', 'b', 'c'].map((issue) => objection('plan-alignment', quote, issue));
  const bench = open(['spec', 'plan'], [role('spec-challenger', null, answer(...root))]);
  const { code, report } = await bench.run();
  expect({ code, stations: stations(report) }).toEqual({ code: 2, stations: ['challenge fail'] });
});
