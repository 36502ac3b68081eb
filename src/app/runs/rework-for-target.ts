import type { Surroundings } from '#app/workplace/surroundings.ts';
import { isAccepted, type RunState } from '#crew/state/state.ts';
import { clashOf } from '#crew/steer/judge-clashes.ts';
import type { TargetRework } from '#crew/steer/target-rework.ts';
import { acceptedWith } from '#crew/task/steps/run-check.ts';
import { isAncestor, readRef, writeCommit } from '#git/merges/branches.ts';
import { mergePairs } from '#git/merges/unions.ts';
import { checkTips, type IntegrationRoom, withIntegrationRoom } from './integration-room.ts';
import type { RunRoom } from './run-room.ts';

type Here = Pick<Surroundings, 'env' | 'terminal' | 'onInterrupt'>;

/**
 * What has to change in the accepted work of a run so that it fits the current target; null if it fits, has landed,
 * or was not accepted.
 */
export async function reworkForTarget(
  here: Here,
  { repository, config }: RunRoom,
  run: string,
  state: RunState,
): Promise<TargetRework | null> {
  const steps = [...state.steps.values()];
  const { target, landed } = state;
  if (target === null || landed !== null || steps.length === 0) return null;
  if (!steps.every((step) => isAccepted(state, step))) return null;
  return withIntegrationRoom(here, repository, config, async (room) => {
    const now = await readRef(room.git, `refs/heads/${target}`);
    const { commit } = state.integration;
    if (now === null || (await isAncestor(room.git, commit, now))) return null;
    return clashesWith(room, here, run, state, { ref: target, commit: now });
  });
}

async function clashesWith(
  room: IntegrationRoom,
  here: Here,
  run: string,
  state: RunState,
  target: { readonly ref: string; readonly commit: string },
): Promise<TargetRework | null> {
  const { branch: ref, commit: accepted } = state.integration;
  const [merge] = await mergePairs(room.git, [[accepted, target.commit]]);
  if (!merge || merge.status === 'failed') return null;
  const conflicts = merge.status === 'conflict' ? [...merge.paths] : [];
  const { findings } = await checkTips(
    room,
    here,
    { at: state.at, settingsAt: target.commit, accept: [] },
    target,
    [{ ref, commit: accepted }],
  );
  const tasksOf = (file: string) => acceptedWith(state, file);
  const company = {
    task: '',
    ref: '',
    accepted: { ref, tasksOf, moves: 'as-named' as const },
    inFlight: new Map(),
    target: target.ref,
  };
  const clashes = findings
    .filter(({ effect, rule }) => effect === 'stops' && rule !== 'T01')
    .map((finding) => clashOf(finding, company, null));
  const problems = problemsOf(state, target.commit);
  if (conflicts.length + clashes.length + problems.length === 0) return null;
  const commit = await writeCommit(room.git, {
    tree: merge.tree,
    parents: [accepted, target.commit],
    message: `The work of run ${run} with ${target.ref}\n\nJoinery-Run: ${run}`,
    at: state.at,
  });
  return {
    target: target.ref,
    start: { accepted, waiting: target.commit, commit },
    clashes,
    conflicts,
    problems,
  };
}

/** Problems of the last try to land on this exact commit, besides those of the check. */
function problemsOf({ integrations }: RunState, target: string): string[] {
  const last = integrations.at(-1)?.report;
  if (last === undefined || last.target.before !== target) return [];
  const lost = last.lost.map(({ path, entity }) => `${path}${entity === null ? '' : `#${entity}`} was lost`);
  return [
    ...last.steps
      .filter(({ name, status }) => status === 'fail' && /^(gates|tests|contract)$/.test(name))
      .map(({ name, detail }) => `${name} of ${last.target.ref}: ${detail}`),
    ...lost,
  ];
}
