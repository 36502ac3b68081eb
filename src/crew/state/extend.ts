import { reachable } from '#lib/graph.ts';
import type { DataOf } from '#schema/event.ts';
import { addTasks, type RunState, type StepState, stepOf } from './state.ts';

/** Adds a task to a run. The tasks it takes over end here; tasks that waited for those wait for the new one. */
export function extendRun(state: RunState, { task, branch, ...rework }: DataOf<'run.extended'>): void {
  state.plan = { ...state.plan, tasks: [...state.plan.tasks, task] };
  addTasks(state, [task], { [task.id]: branch });
  const added = stepOf(state, task.id);
  Object.assign(added, { rework, told: [...rework.clashes] });
  for (const id of rework.takes) {
    const reason = `task ${task.id} finishes it`;
    Object.assign(stepOf(state, id), { status: 'skipped', reason, takenOverBy: task.id });
    state.dependants.get(task.id)?.push(...(state.dependants.get(id) ?? []));
  }
}

/** Finished work waits until another task is accepted. */
export function park(state: RunState, step: StepState, { for: other, reason }: DataOf<'step.waiting'>): void {
  state.dependants.get(other)?.push(step.task.id);
  Object.assign(step, { status: 'pending', reason, parkedFor: other });
  step.waitingFor += 1;
  step.waits += 1;
}

/** Releases a step that waits for nothing any more: finished work is checked again, other steps become ready. */
export function releaseIfFree(step: StepState): void {
  if (step.waitingFor > 0 || step.status !== 'pending') return;
  Object.assign(step, { status: step.parkedFor !== null ? 'checking' : 'ready', reason: '' });
}

/** Steps that were skipped only because of this step can start after all. */
export function reviveDependants(state: RunState, id: string): void {
  const skippedAfter = (each: string) =>
    (state.dependants.get(each) ?? []).filter((next) => {
      const { status, takenOverBy } = stepOf(state, next);
      return status === 'skipped' && takenOverBy === null;
    });
  for (const skipped of reachable([id], skippedAfter)) {
    const step = stepOf(state, skipped);
    Object.assign(step, { status: 'pending', reason: '' });
    releaseIfFree(step);
  }
}
