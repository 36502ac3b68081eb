import { newRunId } from '#crew/state/names.ts';
import type { RunState } from '#crew/state/state.ts';
import { forkPoints, rowsBefore } from '#crew/steer/fork-point.ts';
import type { Workshop } from '#crew/workshop.ts';
import { copyRun, readRows } from '#durable/copy-run.ts';
import { isAncestor, readRef } from '#git/merges/branches.ts';
import { nearest } from '#lib/nearest.ts';
import { UsageError } from '#schema/errors.ts';
import type { DataOf } from '#schema/event.ts';
import type { Scenario } from '#schema/scenario.ts';
import { demandAgents, type RunRoom } from './run-room.ts';

export interface ForkWishes {
  /** The step to restart at; undefined: the error lists the possible steps. */
  readonly at: string | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly context: string;
  readonly lands: boolean;
  readonly scenario: Scenario | null;
}

/** Starts a run with everything another one had recorded before a step. It gets a log and branches of its own. */
export async function forkRun(
  room: RunRoom,
  from: string,
  wishes: ForkWishes,
): Promise<{ run: string; workshop: Workshop }> {
  const { repository, runs } = room;
  const { store } = runs.engine;
  const rows = readRows(store, from);
  const at = demandPoint(from, wishes, forkPoints(rows));
  const before = rowsBefore(rows, at) ?? [];
  const known = room.state(from);
  const scenario = wishes.scenario ?? known.settings.scenario;
  const workshop = await room.workshop({ scenario });
  if (wishes.agent !== undefined) demandAgents(workshop, [wishes.agent]);
  const run = newRunId();
  const data: DataOf<'run.forked'> = {
    from,
    at,
    agent: wishes.agent ?? null,
    model: wishes.model ?? null,
    context: wishes.context,
    land: wishes.lands ? 'always' : 'never',
    scenario: wishes.scenario,
    against: await targetBefore(room, known),
  };
  const rewrite = (text: string) =>
    text.replaceAll(`/${from}/`, `/${run}/`).replaceAll(`/${from}"`, `/${run}"`);
  copyRun(store, { run, rows: before, rewrite, events: [{ type: 'run.forked', data }] }, Date.now);
  // Refs keep these commits when the other run is pruned.
  for (const { branch, commit } of room.state(run).steps.values()) {
    if (commit !== null) await repository.git.run(['update-ref', `refs/heads/${branch}`, commit]);
  }
  return { run, workshop };
}

function demandPoint(from: string, { at, context }: ForkWishes, points: readonly string[]): string {
  const steps = `the steps of run ${from}: ${points.join(', ')}`;
  if (points.length === 0) {
    throw new UsageError({
      code: 'nothing-recorded',
      message: `run ${from} has not started anything yet`,
      hint: `joinery resume ${from}`,
    });
  }
  if (at === undefined) {
    throw new UsageError({ code: 'no-step', message: 'from which step? --at is missing', hint: steps });
  }
  if (!points.includes(at)) {
    const meant = nearest(at, points);
    throw new UsageError({
      code: 'unknown-step',
      message: `run ${from} never started ${JSON.stringify(at)}`,
      hint: meant === null ? steps : `did you mean ${meant}? ${steps}`,
    });
  }
  if (context !== '' && (at === 'verify' || at === 'integrate')) {
    throw new UsageError({
      code: 'no-context',
      message:
        at === 'verify'
          ? 'the verifier reads the spec and the plan and nothing else'
          : 'integration asks no agent',
      hint: 'give it to the architect or to a task: --at plan, --at tasks, --at <task>',
    });
  }
  return at;
}

/** Where the target was before the other run landed; null if that run did not land or its landing was undone. */
async function targetBefore({ repository }: RunRoom, { landed }: RunState): Promise<string | null> {
  if (landed === null) return null;
  const now = await readRef(repository.git, `refs/heads/${landed.ref}`);
  return now !== null && (await isAncestor(repository.git, landed.after, now)) ? landed.before : null;
}
