import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventDraft, RunEvent } from '#schema/event.ts';
import { Plan } from '#schema/plan.ts';
import { defaultSettings } from '#schema/run.ts';
import { sample } from '#test/support/sampling.ts';
import { applyEvent, foldEvents } from './fold.ts';
import { liveOf } from './live.ts';
import type { RunState } from './state.ts';

const id = (digit: string) => digit.repeat(40);
const at = '2030-01-01T00:00:00.000Z';

function created(): EventDraft {
  const plan = Plan.parse({
    schema: 'joinery/plan@1',
    tasks: [
      { id: 'a', title: 'A' },
      { id: 'b', title: 'B', dependsOn: ['a'] },
    ],
  });
  const data = {
    plan,
    base: id('0'),
    baseRef: 'main',
    integration: 'i',
    branches: { a: 'x/a', b: 'x/b' },
    settings: defaultSettings,
  };
  return { type: 'run.created', data };
}

function numbered(drafts: readonly EventDraft[]): RunEvent[] {
  return drafts.map((draft, index) => ({ ...draft, seq: index + 1, at, v: 1 }) as RunEvent);
}

const fold = (...drafts: EventDraft[]) => foldEvents(numbered([created(), ...drafts]));

const check = (status: 'pass' | 'fail' | 'inconclusive') => ({
  name: 'c',
  status,
  decidedBy: 'code' as const,
  required: true,
  detail: '',
});
const blocking = { fingerprint: 'f', severity: 'blocking' as const, message: 'open' };

const begin = (step: string, attempt = 1): EventDraft => ({
  type: 'attempt.started',
  step,
  attempt,
  data: {
    base: id('0'),
    from: id('0'),
    round: attempt,
    branch: step,
    path: '/p',
    driver: 'd',
    role: 'developer',
  },
});
const played = (step: string, attempt = 1): EventDraft => ({
  type: 'attempt.played',
  step,
  attempt,
  data: { outcome: 'ok', reason: '', handoff: null, notes: null },
});
const committed = (step: string, attempt = 1): EventDraft => ({
  type: 'step.committed',
  step,
  attempt,
  data: { commit: id('1'), tree: id('2'), parent: id('0'), files: [] },
});
type Ended = Extract<EventDraft, { type: 'attempt.ended' }>['data'];
const ended = (step: string, more: Partial<Ended> = {}, attempt = 1): EventDraft => ({
  type: 'attempt.ended',
  step,
  attempt,
  data: {
    outcome: 'ok',
    quality: 'full',
    verdict: 'approve',
    checks: [check('pass')],
    findings: [],
    ...more,
  },
});
const accepted = (step: string): EventDraft => ({
  type: 'step.accepted',
  step,
  data: { commit: id('1'), integration: id('3') },
});
const whole = (step: string) => [begin(step), played(step), committed(step), ended(step), accepted(step)];

describe('the state of a log', () => {
  test('a dependant becomes ready when its dependency is accepted', () => {
    const state = fold(...whole('a'));
    expect([...state.steps.values()].map(({ status }) => status)).toEqual(['accepted', 'ready']);
    expect(state.integration.commit).toBe(id('3'));
  });

  test('a watcher sees the integration as soon as all tasks are accepted', () => {
    const opened: EventDraft = { type: 'run.opened', data: { token: 1, holder: 'h' } };
    const phases = (...drafts: EventDraft[]) => liveOf('r', fold(opened, ...drafts)).phases;
    expect(phases(...whole('a'))).toEqual([{ phase: 'tasks', status: 'begun' }]);
    expect(phases(...whole('a'), ...whole('b'))).toEqual([
      { phase: 'tasks', status: 'done' },
      { phase: 'integrate', status: 'begun' },
    ]);
  });

  test('an interrupted attempt releases the step and does not count', () => {
    const state = fold(
      begin('a'),
      ended('a', { outcome: 'interrupted', verdict: null, quality: null, checks: [] }),
    );
    expect(state.steps.get('a')).toMatchObject({ status: 'ready' });
  });

  test('a retry revives the steps that were skipped because of it', () => {
    const skipped: EventDraft = {
      type: 'step.skipped',
      step: 'b',
      data: { reason: 'x', because: 'dependency' },
    };
    const state = fold(
      begin('a'),
      played('a'),
      ended('a', { verdict: 'revise' }),
      { type: 'step.failed', step: 'a', data: { reason: 'x' } },
      skipped,
      { type: 'run.ended', data: { status: 'failed', reason: '' } },
      { type: 'run.reopened', data: { reason: '' } },
      { type: 'step.retried', step: 'a', data: { context: 'hint', by: 'person' } },
    );
    expect([...state.steps.values()].map(({ status }) => status)).toEqual(['ready', 'pending']);
    expect(state.steps.get('a')?.context).toEqual(['hint']);
  });
});

describe('a log is refused with', () => {
  test.each<[string, EventDraft[]]>([
    [
      'an accepted step with an open blocking finding',
      [begin('a'), played('a'), committed('a'), ended('a', { findings: [blocking] }), accepted('a')],
    ],
    [
      'approval while a required check fails',
      [begin('a'), played('a'), ended('a', { checks: [check('fail')] })],
    ],
    [
      'approval while a required check is inconclusive',
      [begin('a'), played('a'), ended('a', { checks: [check('inconclusive')] })],
    ],
    [
      'acceptance against the verdict',
      [begin('a'), played('a'), committed('a'), ended('a', { verdict: 'revise' }), accepted('a')],
    ],
    [
      'a run that is done with work left',
      [...whole('a'), { type: 'run.ended', data: { status: 'done', reason: '' } }],
    ],
    ['work on a step whose dependency is open', [begin('b')]],
    ['two attempts at once', [begin('a'), begin('a', 2)]],
    ['an attempt that ends twice', [begin('a'), played('a'), ended('a'), ended('a')]],
    ['work after the end', [{ type: 'run.ended', data: { status: 'cancelled', reason: '' } }, begin('a')]],
    [
      'an answer without a question',
      [{ type: 'question.answered', data: { id: 'q', answer: 'x', by: 'person' } }],
    ],
    [
      'another try of work that did not fail',
      [{ type: 'step.retried', step: 'a', data: { context: '', by: 'person' } }],
    ],
  ])('%s', (_name, drafts) => {
    expect(() => fold(...drafts)).toThrow('is not allowed');
  });

  test('a gap in the numbers', () => {
    const state = foldEvents(numbered([created()]));
    expect(() => applyEvent(state, { type: 'run.unhalted', data: {}, seq: 3, at, v: 1 })).toThrow(
      'number 3 after 1',
    );
  });

  test('any of this, in any order of events', () => {
    const { seed, numRuns } = sample('random event logs', { normal: 300, soak: 20_000 });
    const pool = [
      ...whole('a'),
      ...whole('b'),
      begin('a', 2),
      played('a', 2),
      committed('a', 2),
      ended('a', {}, 2),
      ended('a', { verdict: 'revise', findings: [blocking] }),
      { type: 'step.failed', step: 'a', data: { reason: '' } },
      { type: 'step.retried', step: 'a', data: { context: '', by: 'x' } },
      { type: 'step.revising', step: 'a', data: { n: 1, reason: '' } },
      { type: 'run.ended', data: { status: 'done', reason: '' } },
    ] as const satisfies EventDraft[];
    fc.assert(
      fc.property(fc.array(fc.constantFrom<EventDraft>(...pool), { maxLength: 60 }), (drafts) => {
        const state = foldEvents(numbered([created()]));
        for (const draft of drafts) {
          try {
            applyEvent(state, { ...draft, seq: state.seq + 1, at, v: 1 } as RunEvent);
          } catch {
            continue;
          }
          expectSane(state);
        }
      }),
      { seed, numRuns },
    );
  });
});

function expectSane(state: RunState): void {
  for (const step of state.steps.values()) {
    const last = step.attempts.at(-1);
    if (step.status === 'accepted') {
      expect(last?.verdict).toBe('approve');
      expect(last?.findings.some((finding) => finding.severity === 'blocking')).toBe(false);
    }
    if (step.attempts.length > 0) {
      for (const dependency of step.task.dependsOn)
        expect(state.steps.get(dependency)?.status).toBe('accepted');
    }
  }
  if (state.status === 'done') {
    expect([...state.steps.values()].every(({ status }) => status === 'accepted')).toBe(true);
  }
}
