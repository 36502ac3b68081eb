import { type Rework, type StepState, stepOf } from '#crew/state/state.ts';
import { type Company, type Judged, type Judgement, judgeClashes } from '#crew/steer/judge-clashes.ts';
import type { TaskFlow } from '#crew/task/task.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import { changeAlone, changedFilesApart } from './change-alone.ts';
import { acceptedWith, runCheck, tasksInFlight, tipOf } from './run-check.ts';

const cannotTell =
  'what it changed cannot be told from the work that waits for it, because both edit the same lines';

/**
 * A rework holds accepted work and the work that waits, so `check` would see one branch and nothing to compare. Its own
 * change is put on the accepted side: that side has to fit the work that waits, and the change has to fit accepted work.
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
  const reworked = await changeAlone(objects, { base: start.accepted, start: start.commit, commit, at });
  if (reworked === null) return { judgement: nothing, unclear: cannotTell };
  const others = tasksInFlight(state, id);
  const waiting = [...state.steps.values()].filter(
    (step) => step.commit === start.waiting && !others.includes(step) && step.task.id !== id,
  );
  const flying = [...others, ...waiting];
  const side = state.integration.branch;
  const reports = [await runCheck(flow, state.base, [{ ref: side, commit: reworked }, ...flying.map(tipOf)])];
  const [first] = reports;
  const company = companyOf(flow, side, flying);
  const found = first?.findings ?? [];
  const purpose = found.filter((finding) => isPurpose(rework, finding));
  const rest = found.filter((finding) => !purpose.includes(finding));
  // What it was made for is its own, whoever would be the one to move by now.
  const own = judgeClashes(
    { findings: purpose.map((finding) => ({ ...finding, owner: side })) },
    company,
  ).own;
  // What else does not fit work in flight is that work's to wait for, or to follow.
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
  const unclear = [...reports, ...within].find(({ status }) => status === 'inconclusive');
  return {
    judgement: {
      own: [...own, ...inside.flatMap((each) => each.own)],
      told: further.told,
      accepted: [],
    },
    unclear: unclear ? (unclear.inconclusive[0]?.reason ?? '') : null,
  };
}

const nothing: Judgement = { own: [], told: [], accepted: [] };

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

/** With what was accepted since it began. */
async function againstLater(
  flow: TaskFlow,
  own: { readonly ref: string; readonly commit: string },
  since: string,
): Promise<CheckReport[]> {
  const { branch: ref, commit } = flow.state.integration;
  return commit === since ? [] : [await runCheck(flow, since, [own, { ref, commit }])];
}

/** The files it changed with all the others, of accepted work and of the work that waits. */
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
