import { describe, expect, test } from 'vitest';
import { type RunState, stateOf, stepOf } from '#crew/state/state.ts';
import { Plan } from '#schema/plan.ts';
import { defaultSettings, Question, type StepStatus } from '#schema/run.ts';
import { closingEvents, isReadyToLand, isToldToStop } from './ending.ts';

function runOf(statuses: Readonly<Record<string, StepStatus>>): RunState {
  const tasks = Object.keys(statuses).map((id) => ({ id, title: id }));
  const plan = Plan.parse({ schema: 'joinery/plan@1', tasks });
  const state = stateOf(
    {
      plan,
      base: 'b'.repeat(40),
      baseRef: 'main',
      integration: 'i',
      branches: {},
      settings: defaultSettings,
    },
    '2030-01-01T00:00:00.000Z',
  );
  for (const [id, status] of Object.entries(statuses)) stepOf(state, id).status = status;
  return state;
}

function ask(state: RunState, kind: Question['kind'], about: string, answer: string | null): void {
  const question = Question.parse({
    ...{ id: 'q', about, kind, text: 'what now?', evidence: [], default: 'stop', deadline: null },
    options: [{ value: 'stop', effect: 'stop the run' }],
  });
  state.questions.set('q', { question, answer });
}

const running = { isCancelled: false, isInterrupted: false };
const said = (state: RunState, how = running) =>
  closingEvents(state, how).map(({ type, step, data }) =>
    [step, type, ...Object.values(data as object)]
      .filter((word) => word !== undefined && word !== '')
      .join(' '),
  );

describe('how a run closes', () => {
  test('failed work ends it, and what depended on that work is skipped', () => {
    expect(said(runOf({ a: 'failed', b: 'pending' }))).toEqual([
      'b step.skipped dependency it needs work that was not accepted: a',
      'run.ended failed not accepted: a',
    ]);
  });

  test('an interrupted run pauses, a cancelled one ends', () => {
    const state = runOf({ a: 'running' });
    expect(said(state, { ...running, isInterrupted: true })).toEqual(['run.paused interrupted']);
    expect(said(state, { isCancelled: true, isInterrupted: true })).toEqual([
      'a step.skipped cancelled the run was cancelled',
      'run.ended cancelled cancelled by a person',
    ]);
  });

  test('an open question pauses it; the answer stop ends it while the reason exists', () => {
    const state = runOf({ a: 'escalated', b: 'pending' });
    ask(state, 'escalation', 'a', null);
    expect(said(state)).toEqual(['run.paused awaiting_human']);
    ask(state, 'escalation', 'a', 'stop');
    expect(said(state)).toEqual(['b step.skipped halted the run was stopped', 'run.ended failed stopped']);
    stepOf(state, 'a').status = 'running';
    expect(isToldToStop(state)).toBe(false);
  });
});

test('a run is ready to land when all its work is accepted, or a person wants a part of it', () => {
  const part = runOf({ a: 'accepted', b: 'failed' });
  expect([runOf({ a: 'accepted' }), runOf({ a: 'accepted', b: 'pending' }), part].map(isReadyToLand)).toEqual(
    [true, false, false],
  );
  part.isPartial = true;
  expect(isReadyToLand(part)).toBe(true);
});
