import { describe, expect, test } from 'vitest';
import { stateOf, stepOf } from '#crew/state/state.ts';
import { Plan } from '#schema/plan.ts';
import { defaultSettings } from '#schema/run.ts';
import { noSpending } from '#schema/spending.ts';
import { renderLive } from './live-view.ts';

const start = '2030-01-01T00:00:00.000Z';
const plain = (_style: unknown, text: string) => text;

function runOf(count: number, active: number) {
  const tasks = Array.from({ length: count }, (_, n) => ({
    id: `t${n}`,
    title: `T${n}`,
    dependsOn: n === count - 1 ? ['t0'] : [],
  }));
  const plan = Plan.parse({ schema: 'joinery/plan@1', tasks });
  const state = stateOf(
    {
      plan,
      base: '0'.repeat(40),
      baseRef: 'main',
      integration: 'i',
      branches: {},
      settings: defaultSettings,
    },
    start,
  );
  for (let n = 0; n < active; n++) {
    const step = stepOf(state, `t${n}`);
    step.status = 'running';
    step.attempts.push({
      n: 1,
      round: 1,
      base: '',
      from: '',
      path: '',
      driver: 'claude',
      tier: 'standard',
      startedAt: start,
      endedAt: null,
      played: null,
    incidents: [],
      session: null,
      outcome: null,
      verdict: null,
      quality: null,
      findings: [],
      grounding: null,
      kept: null,
      failure: null,
      tools: { seen: 0, explored: 0, wrote: 0 },
      dropped: [],
      claims: [],
      commit: null,
      tool: 'edit \u001b[31msrc/a.ts',
      usage: { ...noSpending(), in: 1200, out: 34, tokens: 1234 },
      model: null,
      estimated: new Map(),
      promptedAt: start,
      seenAt: start,
    });
  }
  return state;
}

const frame = { width: 80, height: 24, now: Date.parse(start) + 65_000, paint: plain };

describe('the live view', () => {
  test('shows tasks, agents, current tool, tokens, time and what comes next', () => {
    const lines = renderLive('r', runOf(3, 1), frame);
    expect(lines).toEqual([
      'run r · 0 of 3 accepted · 0 tokens · 1:05',
      '  t0  claude  edit \\x1b[31msrc/a.ts  1.2k tokens  1:05',
      '  next: t1, t2 (waits for 1)',
    ]);
  });

  test('fits into the window, however many are at work', () => {
    const lines = renderLive('r', runOf(60, 50), { ...frame, width: 40, height: 10 });
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  test('is not confused by a clock that went back', () => {
    expect(renderLive('r', runOf(1, 1), { ...frame, now: 0 })[0]).toContain('0:00');
  });
});
