import { type Rework, type StepState, stepOf } from '#crew/state/state.ts';
import { type Company, type Judged, type Judgement, judgeClashes } from '#crew/steer/judge-clashes.ts';
import type { TaskFlow } from '#crew/task/task.ts';
import { conflictMarker, mergePairs } from '#git/merges/unions.ts';
import type { VerifiedObjects } from '#git/objects/verified-objects.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import { gapIn } from '#schema/verdict.ts';
import { changeAlone, changedFilesApart, changeOnEach } from './change-alone.ts';
import { acceptedWith, type NamedCommit, runCheck, tasksInFlight, tipOf } from './run-check.ts';

const cannotTell =
  'its change cannot be separated from the work that waits for it, because both edit the same lines';

/**
 * A rework contains accepted work and the work that waits, so `check` would see a single branch. Its own change is moved to
 * the accepted side: that side must fit the work that waits, and the change must fit accepted work.
 */
export async function judgeRework(
  flow: TaskFlow,
  start: NonNullable<Rework['start']>,
  commit: string,
): Promise<Judged> {
  const { state, id, premises } = flow;
  const { objects } = premises;
  const at = state.createdAt;
  const { branch, rework } = stepOf(state, id);
  const marked = start.target === undefined ? null : await conflictLeft(objects, start, commit);
  if (marked !== null) return { judgement: nothing, unclear: `${marked} still holds conflict markers` };
  const sides = await sidesOf(objects, start, commit, at);
  if (sides === null) return { judgement: nothing, unclear: cannotTell };
  const { reworked, target } = sides;
  const others = tasksInFlight(state, id);
  const waiting = [...state.steps.values()].filter(
    (step) => step.commit === start.waiting && !others.includes(step) && step.task.id !== id,
  );
  const flying = [...others, ...waiting];
  const side = state.integration.branch;
  const tips = [{ ref: side, commit: reworked }, ...target, ...flying.map(tipOf)];
  const reports = [await runCheck(flow, state.base, tips)];
  const [first] = reports;
  const company = { ...companyOf(flow, side, flying), ...(start.target ? { target: start.target } : {}) };
  const found = first?.findings ?? [];
  const purpose = found.filter(
    (finding) => isPurpose(rework, finding) || finding.branches.includes(start.target ?? ''),
  );
  const rest = found.filter((finding) => !purpose.includes(finding));
  // The findings it was created for belong to it, even if another task would own them now.
  const own = judgeClashes(
    { findings: purpose.map((finding) => ({ ...finding, owner: side })) },
    company,
  ).own;
  // Work in flight handles its other conflicts with this one: it waits or follows.
  const further = judgeClashes({ findings: rest }, company);
  const within = [
    ...(await againstLater(flow, { ref: branch, commit }, start.accepted)),
    await amongFiles(flow, start, commit),
  ];
  const accepted: Company = {
    ...companyOf(flow, branch, []),
    accepted: { ref: side, moves: 'never', tasksOf: (file) => acceptedWith(state, file) },
  };
  const inside = within.map((report) => judgeClashes(report, accepted));
  const unclear = [...reports, ...within].map(gapIn).find((reason) => reason !== null) ?? null;
  return {
    judgement: {
      own: [...own, ...inside.flatMap((each) => each.own)],
      told: further.told,
      accepted: [],
      shown: [...further.shown, ...inside.flatMap((each) => each.shown)],
    },
    unclear,
  };
}

interface Sides {
  readonly reworked: string;
  /** The moved target, if the rework is for the target. */
  readonly target: readonly NamedCommit[];
}

/**
 * A rework for a target may change lines that the target changed: then both sides contain all of it, and its changes are
 * checked against everything else below.
 */
async function sidesOf(
  objects: VerifiedObjects,
  { accepted, waiting, commit: begun, target }: NonNullable<Rework['start']>,
  commit: string,
  at: string,
): Promise<Sides | null> {
  const attempted = { base: accepted, start: begun, commit, at };
  const tip = (theirs: string) => (target === undefined ? [] : [{ ref: target, commit: theirs }]);
  const alone = await changeAlone(objects, attempted);
  if (alone !== null) return { reworked: alone, target: tip(waiting) };
  if (target === undefined) return null;
  const [reworked, theirs] = await changeOnEach(objects, attempted, [accepted, waiting]);
  return { reworked, target: tip(theirs) };
}

/** A file with unresolved conflict markers of git; null if there is none. */
async function conflictLeft(
  { git }: VerifiedObjects,
  { accepted, waiting }: NonNullable<Rework['start']>,
  commit: string,
): Promise<string | null> {
  const [merge] = await mergePairs(git, [[accepted, waiting]]);
  if (merge?.status !== 'conflict') return null;
  const texts = await readFilesAt(git, commit, merge.paths);
  return merge.paths.find((path) => conflictMarker.test(texts.get(path) ?? '')) ?? null;
}

const nothing: Judgement = { own: [], told: [], accepted: [], shown: [] };

function companyOf({ id }: TaskFlow, ref: string, flying: readonly StepState[]): Company {
  return {
    task: id,
    ref,
    accepted: null,
    inFlight: new Map(flying.map((other) => [other.branch, other.task.id])),
  };
}

function isPurpose(rework: Rework | null, { id, rootCause }: Finding): boolean {
  return (rework?.clashes ?? []).some((clash) => clash.id === id || clash.cause === rootCause);
}

/** Checks it with what was accepted after it started. */
async function againstLater(
  flow: TaskFlow,
  own: { readonly ref: string; readonly commit: string },
  since: string,
): Promise<CheckReport[]> {
  const { branch: ref, commit } = flow.state.integration;
  return commit === since ? [] : [await runCheck(flow, since, [own, { ref, commit }])];
}

/** Checks the files it changed with all the others, of accepted work and of the work that waits. */
async function amongFiles(
  flow: TaskFlow,
  { commit: begun }: NonNullable<Rework['start']>,
  commit: string,
): Promise<CheckReport> {
  const { state, id, premises } = flow;
  const attempted = { base: state.base, start: begun, commit, at: state.createdAt };
  const { own, accepted } = await changedFilesApart(premises.objects, attempted);
  return runCheck(flow, state.base, [
    { ref: stepOf(state, id).branch, commit: own },
    { ref: state.integration.branch, commit: accepted },
  ]);
}
