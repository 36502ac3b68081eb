import { type RunState, type StepState, stepOf } from '#crew/state/state.ts';
import { type Company, type Judged, type Judgement, judgeClashes } from '#crew/steer/judge-clashes.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { mergeOnto } from '#git/merges/branches.ts';
import type { DataOf, EventDraft } from '#schema/event.ts';
import type { Clash } from '#schema/run.ts';
import { gapIn } from '#schema/verdict.ts';
import { changeAlone, changeByFiles } from './change-alone.ts';
import { judgeRework } from './judge-rework.ts';
import { acceptedWith, runCheck, tasksInFlight, tipOf } from './run-check.ts';

export interface Checked {
  readonly status: 'pass' | 'fail' | 'inconclusive';
  readonly judgement: Judgement;
  readonly events: readonly EventDraft[];
}

/**
 * Checks whether the work fits accepted work and what tasks in flight have committed so far. Skipped if there is neither.
 */
export async function checkAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
): Promise<Checked | null> {
  const { state, id } = flow;
  const step = stepOf(state, id);
  const start = step.rework?.start ?? null;
  const judged = start ? await judgeRework(flow, start, commit) : await judgeTask(flow, plan, commit);
  if (judged === null) return null;
  const { unclear } = judged;
  const judgement = withoutHeard(judged.judgement, step);
  const clashes = [...judgement.own, ...judgement.accepted];
  const status = unclear !== null ? 'inconclusive' : clashes.length > 0 ? 'fail' : 'pass';
  const data: DataOf<'step.checked'> = {
    commit,
    against: againstOf(state, plan.base, tasksInFlight(state, id)),
    status,
    clashes,
    ...(judgement.shown.length === 0 ? {} : { shown: [...judgement.shown] }),
    delta: deltaOf(step.checks.at(-1)?.clashes ?? step.rework?.clashes ?? [], clashes),
    ...(unclear === null ? {} : { reason: unclear }),
  };
  return {
    status,
    judgement,
    events: [
      { type: 'step.checked', step: id, attempt: plan.n, data },
      ...judgement.told
        .filter(({ task, clash }) => !hasHeard(stepOf(state, task), clash.id))
        .map(({ task, clash }): EventDraft => ({ type: 'step.told', step: task, data: clash })),
    ],
  };
}

async function judgeTask(flow: TaskFlow, plan: AttemptPlan, commit: string): Promise<Judged | null> {
  const { state, id } = flow;
  const step = stepOf(state, id);
  const { own, accepted, moves } = await sidesOf(flow, plan, commit);
  const isAlone = accepted === state.base;
  const flying = tasksInFlight(state, id);
  if (isAlone && flying.length === 0) return null;
  const { branch: ref } = state.integration;
  const report = await runCheck(flow, state.base, [
    { ref: step.branch, commit: own },
    ...(isAlone ? [] : [{ ref, commit: accepted }]),
    ...flying.map(tipOf),
  ]);
  const company: Company = {
    task: id,
    ref: step.branch,
    accepted: isAlone ? null : { ref, moves, tasksOf: (file) => acceptedWith(state, file) },
    inFlight: new Map(flying.map((other) => [other.branch, other.task.id])),
  };
  return {
    judgement: judgeClashes(report, company),
    unclear: gapIn(report),
  };
}

interface Sides {
  readonly own: string;
  readonly accepted: string;
  readonly moves: NonNullable<Company['accepted']>['moves'];
}

/**
 * An attempt that was built on accepted work is checked by its own change, so that a clash with that work is not hidden
 * inside one branch.
 */
async function sidesOf({ state, premises }: TaskFlow, plan: AttemptPlan, commit: string): Promise<Sides> {
  const { objects } = premises;
  const now = state.integration.commit;
  if (plan.base === state.base) return { own: commit, accepted: now, moves: 'as-named' };
  const attempted = { base: state.base, start: plan.base, commit, at: state.createdAt };
  const alone = await changeAlone(objects, attempted);
  if (alone !== null) return { own: alone, accepted: now, moves: 'if-mechanical' };
  const sides = await changeByFiles(objects, attempted);
  const message = 'Accepted work with a change of it';
  const later = await mergeOnto(objects, now, sides.accepted, { message, at: state.createdAt });
  return { own: sides.own, accepted: later.head, moves: 'never' };
}

function againstOf(
  { steps }: RunState,
  base: string,
  flying: readonly StepState[],
): DataOf<'step.checked'>['against'] {
  const accepted = [...steps.values()].filter(
    ({ status, commit }) => status === 'accepted' && commit !== null && commit !== base,
  );
  const entry = (state: 'accepted' | 'in-flight') => (step: StepState) => ({
    task: step.task.id,
    commit: step.commit ?? '',
    state,
  });
  return [...accepted.map(entry('accepted')), ...flying.map(entry('in-flight'))];
}

/** A cause is the same whichever branch shows it: a rework is measured by the clashes it was created for. */
function deltaOf(before: readonly Clash[], now: readonly Clash[]): DataOf<'step.checked'>['delta'] {
  const isIn = (list: readonly Clash[]) => (clash: Clash) =>
    list.some(({ id, cause }) => id === clash.id || (cause !== undefined && cause === clash.cause));
  const remaining = now.filter(isIn(before)).length;
  const fixed = before.length - before.filter(isIn(now)).length;
  return { before: before.length, fixed, remaining, new: now.length - remaining };
}

/** What nobody has judged goes to its owner once; then the landing asks about it. */
function withoutHeard(judgement: Judgement, step: StepState): Judgement {
  return {
    ...judgement,
    own: judgement.own.filter(({ effect, id }) => effect !== 'asks' || !hasHeard(step, id)),
  };
}

function hasHeard({ told, attempts, checks }: StepState, id: string): boolean {
  const known = [...told, ...(attempts.at(-1)?.told ?? []), ...(checks.at(-1)?.clashes ?? [])];
  return known.some((clash) => clash.id === id);
}
