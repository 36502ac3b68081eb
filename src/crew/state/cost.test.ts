import { describe, expect, test } from 'vitest';
import type { DataOf, EventDraft, RunEvent } from '#schema/event.ts';
import { Plan } from '#schema/plan.ts';
import { defaultSettings } from '#schema/run.ts';
import { costOfRun } from './cost.ts';
import { foldEvents } from './fold.ts';
import { reportedUsage } from './ledger.ts';

const base = '0'.repeat(40);
const plan = Plan.parse({ schema: 'joinery/plan@1', tasks: [{ id: 'a', title: 'A' }] });
const second = (n: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, n)).toISOString();

type Timed = readonly [seconds: number, draft: EventDraft];

/** The log of one attempt at task a, with a time for each event. */
function run(...events: Timed[]) {
  const created: EventDraft = {
    type: 'run.created',
    data: { plan, base, baseRef: 'main', integration: 'i', branches: { a: 'x' }, settings: defaultSettings },
  };
  const started: EventDraft = {
    type: 'attempt.started',
    step: 'a',
    attempt: 1,
    data: {
      base,
      from: base,
      round: 1,
      branch: 'x',
      path: '/p',
      driver: 'd',
      role: 'developer',
      model: 'm1',
    },
  };
  const drafts: Timed[] = [[0, created], [0, started], [1, prompted], ...events];
  return foldEvents(
    drafts.map(([at, draft], index) => ({ ...draft, seq: index + 1, at: second(at), v: 1 }) as RunEvent),
  );
}

const prompted: EventDraft = {
  type: 'attempt.prompted',
  step: 'a',
  attempt: 1,
  data: { sha256: '0'.repeat(64), mode: 'full', bytes: 1, included: [], dropped: [] },
};
const spent = (data: Partial<DataOf<'attempt.spent'>>): EventDraft => ({
  type: 'attempt.spent',
  step: 'a',
  attempt: 1,
  data: { in: 0, out: 0, usd: 0, ...data },
});
const played = (outcome: 'ok' | 'interrupted'): EventDraft => ({
  type: 'attempt.played',
  step: 'a',
  attempt: 1,
  data: { outcome, reason: '', handoff: null, notes: null },
});

describe('the ledger', () => {
  test('counts a report once for the attempt, the task, its model and the run', () => {
    const state = run(
      [2, spent({ in: 100, cached: 40, out: 10, reasoning: 4, usd: 0.5, basis: 'reported' })],
      [3, spent({ in: 7, out: 3, usd: 0.1, basis: 'table', model: 'm2' })],
      [3, spent({ turns: 1 })],
    );
    const report = costOfRun('r', state);
    const sum = { in: 107, cached: 40, out: 13, reasoning: 4, tokens: 120, turns: 1, usd: 0.6, unpriced: 0 };
    expect(report.total).toMatchObject(sum);
    expect(report.tasks[0]).toMatchObject(sum);
    expect(report.tasks[0]?.attempts[0]).toMatchObject({ ...sum, model: 'm2' });
    expect(report.models).toMatchObject([
      { model: 'm1', tokens: 110, usd: 0.5 },
      { model: 'm2', tokens: 10, usd: 0.1 },
    ]);
  });

  test('replaces our estimate by the cost that the agent reports', () => {
    const state = run(
      [2, spent({ in: 100, usd: 0.3, basis: 'table' })],
      [3, spent({ in: 100, usd: 0.3, basis: 'table', model: 'm2' })],
      [4, spent({ usd: 0.75, basis: 'reported' })],
      [5, spent({ in: 50, usd: 0.1, basis: 'table' })],
    );
    const { total, models } = costOfRun('r', state);
    expect(total).toMatchObject({ tokens: 250, usd: 0.85 });
    expect(models.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(0.85, 9);
    const attempt = state.steps.get('a')?.attempts[0];
    expect(attempt && reportedUsage(attempt).usd).toBeCloseTo(0.75, 9);
  });

  test('shows tokens without a known price', () => {
    const state = run(
      [2, spent({ in: 5, out: 1, basis: 'unknown' })],
      [3, spent({ in: 1, usd: 1, basis: 'table' })],
    );
    expect(costOfRun('r', state).total).toMatchObject({ tokens: 7, unpriced: 6, usd: 1 });
  });

  test('no longer counts tokens as unpriced once the agent reports their cost', () => {
    const unknown = (model: string) => spent({ in: 100, out: 10, basis: 'unknown', model });
    const state = run(
      [2, unknown('x')],
      [3, unknown('y')],
      [4, spent({ usd: 1.25, basis: 'reported' })],
      [5, unknown('y')],
    );
    const { total, models } = costOfRun('r', state);
    expect(total).toMatchObject({ tokens: 330, usd: 1.25, unpriced: 110 });
    expect(models.map(({ model, unpriced }) => [model, unpriced])).toEqual(
      expect.arrayContaining([
        ['x', 0],
        ['y', 110],
      ]),
    );
  });

  test('measures the time of an agent until its end, or until its last sign of life', () => {
    const time = (...events: Timed[]) => costOfRun('r', run(...events)).total.ms;
    expect(time([4, spent({ in: 1 })], [61, played('ok')])).toBe(60_000);
    expect(time([4, spent({ in: 1 })], [9_000, played('interrupted')])).toBe(3_000);
    expect(time()).toBe(0);
  });
});
