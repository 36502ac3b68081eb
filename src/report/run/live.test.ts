import { describe, expect, test } from 'vitest';
import { plainPaint } from '#report/text/paint.ts';
import type { LiveRun, LiveTask } from '#schema/live-run.ts';
import { renderLive } from './live.ts';

const start = '2030-01-01T00:00:00.000Z';

const waiting = { attempt: null, doing: '', tokens: 0, usd: 0, startedAt: null, waitsFor: [] };

const atWork = {
  ...waiting,
  status: 'running' as const,
  doing: 'claude edit \u001b[31msrc/a.ts',
  tokens: 1234,
  startedAt: start,
};

function liveOf(tasks: readonly LiveTask[], more: Partial<LiveRun> = {}): LiveRun {
  const seams = { open: [], fixed: 0 };
  return {
    run: 'r',
    createdAt: start,
    isHalted: false,
    tokens: 0,
    usd: 0,
    phases: [],
    seams,
    tasks,
    ...more,
  };
}

const frame = { width: 80, height: 24, now: Date.parse(start) + 65_000, paint: plainPaint };

describe('the live view', () => {
  test('gives every task a row: state, time, tokens, cost, what it does or waits for', () => {
    const live = liveOf([
      { ...waiting, id: 'done', status: 'accepted', tokens: 5, usd: 0.5 },
      { ...waiting, id: 'b', status: 'pending', waitsFor: ['a'] },
      { ...atWork, id: 'a', attempt: 2 },
      { ...waiting, id: 'lost', status: 'failed', doing: 'no progress' },
    ]);
    expect(renderLive(live, frame)).toEqual([
      'run r · 1 of 4 accepted · 1 in trouble · 1:05 · 0 tokens',
      '  a #2  running   1:05  1.2k     claude edit \\x1b[31msrc/a.ts',
      '  lost  failed                   no progress',
      '  b     pending                  waits for a',
      '  done  accepted        5 $0.50',
    ]);
  });

  test('on a narrow terminal time, money and what a task waits for fit', () => {
    const spent = { tokens: 3100, usd: 0.02 };
    const live = liveOf(
      [
        { ...atWork, ...spent, id: 'checkout', attempt: 2 },
        { ...waiting, id: 'refunds', status: 'pending', waitsFor: ['cart', 'prices'] },
      ],
      { ...spent, tokens: 123_456 },
    );
    const lines = renderLive(live, { ...frame, width: 60 });
    expect(lines[0]).toMatch(/ · 1:05 · \$0\.02 · /);
    expect(lines[1]).toMatch(/^ {2}checkout #2 {2}running {2}1:05 {2}\$0\.02 {2}claude/);
    expect(lines[2]).toMatch(/ waits for cart, prices$/);
  });

  test('shows phases, seams and cost in the same screen, at 80 columns', () => {
    const message = 'user.display_name does not exist on User, which has id, name and email and nothing else';
    const live = liveOf([{ ...atWork, id: 'a' }], {
      tokens: 1500,
      usd: 0.25,
      phases: [
        { phase: 'plan', status: 'done' },
        { phase: 'tasks', status: 'begun' },
      ],
      seams: { open: [`S10 a × b: ${message}`], fixed: 2 },
    });
    const lines = renderLive(live, frame);
    expect(lines.slice(0, 3)).toEqual([
      'run r · 0 of 1 accepted · 1:05 · $0.25 · 1.5k tokens',
      '  plan ✓ · tasks …',
      '  seams: 1 open, 2 fixed',
    ]);
    expect(lines[3]).toMatch(/^ {4}S10 a × b: user\.display_name/);
    expect(lines[4]).toContain('running');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('fits the window, however many tasks are running', () => {
    const live = liveOf(Array.from({ length: 60 }, (_, n) => ({ ...atWork, id: `t${n}` })));
    const lines = renderLive(live, { ...frame, width: 40, height: 10 });
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
    expect(lines.at(-1)).toBe('  … and 53 more: 53 running');
  });

  test('is not confused by a clock that was set back', () => {
    expect(renderLive(liveOf([{ ...atWork, id: 'a' }]), { ...frame, now: 0 })[0]).toContain('0:00');
  });
});
