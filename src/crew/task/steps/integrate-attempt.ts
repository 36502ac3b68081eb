import { startOf, stepOf } from '#crew/state/state.ts';
import { openReworkOf, reworkOfAccepted, reworksFor, rootsOf } from '#crew/steer/rework.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { mergeOnto } from '#git/merges/branches.ts';
import type { EventDraft } from '#schema/event.ts';
import type { Clash } from '#schema/run.ts';
import { type Checked, checkAttempt } from './check-attempt.ts';
import { mayRework } from './loop.ts';

/** `out`: it does not merge or has to change; `waits`: accepted work changes first; `stuck`: that did not help. */
export type Integrated = 'in' | 'out' | 'waits' | 'stuck';

/** Merges the work into the integration branch if it fits. */
export function integrateAttempt(flow: TaskFlow, plan: AttemptPlan): Promise<Integrated> {
  const { context, id, workshop, state } = flow;
  const { waits } = stepOf(state, id);
  const key = `${id}/${plan.n}/integrate${waits === 0 ? '' : `@${waits + 1}`}`;
  const integrate = () =>
    context.step(key, async (call): Promise<Integrated> => {
      const commit = stepOf(state, id).commit ?? plan.from;
      const accepted = state.integration.commit;
      // Onto the commit in the log: the branch is for people, who may have moved it.
      const landing = await mergeOnto(flow.premises.objects, accepted, commit, {
        message: `Merge task ${id}\n\nJoinery-Run: ${context.run}\nJoinery-Task: ${id}`,
        at: startOf(state, id),
      });
      if (landing.status === 'landed') {
        const checked = await checkAttempt(flow, plan, commit);
        flow.stop.throwIfAborted();
        for (const event of checked?.events ?? []) call.emit(event);
        if (checked && checked.status !== 'pass') {
          const start = { accepted, waiting: commit, commit: landing.head };
          const { integrated, events } = whoMoves(flow, checked, start);
          for (const event of events) call.emit(event);
          workshop.probe(`${id}/${plan.n}/integrate: ${integrated}`);
          return integrated;
        }
        workshop.probe(`${id}/${plan.n}/integrate: checked`);
        // Foreign commits are kept under a ref before the branch moves.
        await flow.refWatch.look();
        await flow.refs.set(`refs/heads/${state.integration.branch}`, landing.head);
        workshop.probe(`${id}/${plan.n}/integrate: merged`);
        call.emit({ type: 'step.accepted', step: id, data: { commit, integration: landing.head } });
        return 'in';
      }
      const { head, paths } = landing;
      call.emit({
        type: 'step.conflicted',
        step: id,
        attempt: plan.n,
        data: { commit, head, paths: [...paths] },
      });
      return 'out';
    });
  // Wait until it is recorded: the next merge uses the log.
  return workshop.merging.pass(integrate);
}

/**
 * A task that has to change does so first. Otherwise the owners of accepted work get a rework task, unless they have one
 * already, and this task waits for it.
 */
function whoMoves(
  { state, id, context }: TaskFlow,
  { status, judgement: { own, accepted } }: Checked,
  start: Parameters<typeof reworkOfAccepted>[3]['start'],
): { integrated: Integrated; events: EventDraft[] } {
  if (status !== 'fail' || own.length > 0 || accepted.length === 0) return { integrated: 'out', events: [] };
  const step = stepOf(state, id);
  const before = reworksFor(state, step);
  const known = before.at(-1)?.rework?.clashes;
  const isAllowed = mayRework(state.settings.loop, before.length, causesOf(known), causesOf(accepted));
  if (!isAllowed) return { integrated: 'stuck', events: [] };
  const owners = new Set(accepted.flatMap(({ owner }) => (owner === null ? [] : rootsOf(state, owner))));
  const open = openReworkOf(state, owners);
  const added = open ? null : reworkOfAccepted(context.run, state, accepted, { task: id, start });
  const other = open?.task.id ?? added?.task.id ?? '';
  return {
    integrated: 'waits',
    events: [
      ...(added ? [{ type: 'run.extended' as const, data: added }] : []),
      { type: 'step.waiting', step: id, data: { for: other, reason: `waits for task ${other}` } },
    ],
  };
}

function causesOf(clashes: readonly Clash[] = []): string[] {
  return clashes.map(({ cause, id }) => cause ?? id);
}
