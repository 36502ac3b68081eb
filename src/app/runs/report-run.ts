import { costOfRun } from '#crew/state/cost.ts';
import { finalReportOf } from '#crew/state/final-report.ts';
import { nextCommands } from '#crew/state/next-commands.ts';
import { writeProjections } from '#crew/state/projection-files.ts';
import { reportOf } from '#crew/state/report.ts';
import { provenLanding, type RunState, withLanding, withoutLanding } from '#crew/state/state.ts';
import { whyOf } from '#crew/state/why.ts';
import { isAncestor, readRef } from '#git/merges/branches.ts';
import { nearest } from '#lib/nearest.ts';
import type { CostReport } from '#schema/cost-report.ts';
import { UsageError } from '#schema/errors.ts';
import type { FinalReport } from '#schema/final-report.ts';
import type { NextCommand, RebuildReport, RunReport } from '#schema/run.ts';
import type { WhyReport } from '#schema/why-report.ts';
import type { RunRoom } from './run-room.ts';

/** The outcome of a run, and the commands a person can type next. */
export interface RunAnswer {
  readonly report: RunReport;
  readonly next: readonly NextCommand[];
}

type Readable = Pick<RunRoom, 'state' | 'repository'>;

/** Asks git whether the run has landed: the target may have been moved back, or moved there by a person. */
export async function stateNow({ state, repository: { git } }: Readable, run: string): Promise<RunState> {
  const known = state(run);
  const landing = known.landed ?? provenLanding(known);
  if (landing === null) return known;
  const now = await readRef(git, `refs/heads/${landing.ref}`);
  const isThere = now !== null && (await isAncestor(git, landing.after, now));
  if (known.landed !== null) return isThere ? known : withoutLanding(known);
  return isThere ? withLanding(known, landing) : known;
}

export async function reportRun(room: Driven, run: string): Promise<RunAnswer> {
  return answerFrom(run, await drivenState(room, run));
}

type Driven = Readable & Pick<RunRoom, 'runs'>;

/** A process that was killed while it drove the run could not record that. */
async function drivenState(room: Driven, run: string): Promise<RunState> {
  const state = await stateNow(room, run);
  const isDriven = room.runs.engine.holder(run)?.isAlive ?? false;
  const isLeft = (state.status === 'running' || state.status === 'created') && !isDriven;
  return isLeft ? { ...state, pausedBy: 'interrupted' } : state;
}

export function answerFrom(run: string, state: RunState): RunAnswer {
  return { report: reportOf(run, state), next: nextCommands(run, state) };
}

export async function reportFinal(room: Driven, run: string): Promise<FinalReport> {
  return finalReportOf(run, await drivenState(room, run));
}

export function reportCost({ state }: Pick<RunRoom, 'state'>, run: string): CostReport {
  return costOfRun(run, state(run));
}

/** Why a task has its status. */
export function reportWhy({ state: read, runs }: RunRoom, run: string, task: string): WhyReport {
  const state = read(run);
  if (state.steps.has(task))
    return whyOf(run, state, task, runs.folders.root, (hash) => runs.engine.artifact(run, hash));
  const meant = nearest(task, [...state.steps.keys()]);
  throw new UsageError({
    code: 'unknown-task',
    message: `run ${run} has no task ${JSON.stringify(task)}`,
    hint:
      meant === null ? `joinery status ${run}` : `did you mean ${meant}? All of them: joinery status ${run}`,
  });
}

/** Rewrites the reports and logs of a run from its journal. */
export function rebuildRun({ runs: { engine, folders } }: Pick<RunRoom, 'runs'>, run: string): RebuildReport {
  const files = writeProjections(folders, {
    run,
    events: engine.read(run),
    artifact: (hash) => engine.artifact(run, hash),
  });
  return { schema: 'joinery/rebuild@1', run, folders: [folders.reports(run), folders.logs(run)], files };
}
