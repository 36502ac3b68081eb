import type { Decision } from '#app/workplace/decision.ts';
import { hasEnded, isSettled, type RunState } from '#crew/state/state.ts';
import { nearest } from '#lib/nearest.ts';
import { UsageError } from '#schema/errors.ts';
import type { RunRoom } from './run-room.ts';
import { deliver } from './send-signal.ts';

/** Sends a message to the agent of a task: its next turn and every later attempt read it. */
export async function steerTask(
  room: RunRoom,
  decision: Decision,
  run: string,
  { task, text }: { readonly task: string; readonly text: string },
): Promise<void> {
  assertAtWork(room.state(run), run, task);
  if (text.trim() === '')
    throw new UsageError({
      code: 'no-text',
      message: 'what should the agent know?',
      hint: `joinery steer ${task} "use the v2 client"`,
    });
  const before = room.state(run).steps.get(task)?.context.length ?? 0;
  await deliver(
    room,
    run,
    { name: 'steer', payload: { task, text } },
    decision,
    ({ steps }) => (steps.get(task)?.context.length ?? 0) > before,
  );
}

/** Stops the agent of a task. The task then counts as failed and can be retried; other tasks continue. */
export async function stopTask(
  room: RunRoom,
  decision: Decision,
  run: string,
  { task, reason }: { readonly task: string; readonly reason: string },
): Promise<void> {
  assertAtWork(room.state(run), run, task);
  await deliver(room, run, { name: 'stop', payload: { task, reason } }, decision, ({ steps }) => {
    const step = steps.get(task);
    return step === undefined || isSettled(step);
  });
}

/** Refuses a task that has ended or does not exist. */
export function assertAtWork(state: RunState, run: string, task: string): void {
  const step = state.steps.get(task);
  if (step && !isSettled(step) && !hasEnded(state)) return;
  const open = [...state.steps.values()].filter((each) => !isSettled(each)).map((each) => each.task.id);
  const meant = step ? null : nearest(task, [...state.steps.keys()]);
  throw new UsageError({
    code: step ? 'settled-task' : 'unknown-task',
    message: step
      ? `task ${task} of run ${run} is ${step.status}: no agent works on it`
      : `run ${run} has no task ${task}${meant === null ? '' : `; did you mean ${meant}?`}`,
    hint: open.length > 0 ? `tasks that are not over: ${open.join(', ')}` : `joinery status ${run}`,
  });
}
