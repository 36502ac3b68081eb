import { setTimeout as wait } from 'node:timers/promises';
import { isSettled, startOf, stepOf } from '#crew/state/state.ts';
import type { TaskFlow } from '#crew/task/task.ts';
import { mergeOnto } from '#git/merges/branches.ts';

const pollMs = 100;

/**
 * A commit together with the work of the tasks it imports from: gates and criteria run on it. Waits until those tasks have
 * committed something, and frees its slot meanwhile. Work that does not merge is judged alone.
 */
export async function withProviders(
  flow: TaskFlow,
  commit: string,
  providers: readonly string[],
): Promise<string> {
  if (providers.length === 0) return commit;
  await untilCommitted(flow, providers);
  const { state, context, id, premises } = flow;
  let union = commit;
  for (const provider of providers) {
    const step = stepOf(state, provider);
    const theirs = step.status === 'accepted' ? state.integration.commit : step.commit;
    if (theirs === null) continue;
    const merged = await mergeOnto(premises.objects, union, theirs, {
      message: `Task ${id} with task ${provider}\n\nJoinery-Run: ${context.run}`,
      at: startOf(state, id),
    });
    if (merged.status === 'landed') union = merged.head;
  }
  return union;
}

async function untilCommitted(
  { state, waiting, id, stop }: TaskFlow,
  providers: readonly string[],
): Promise<void> {
  const isMissing = (provider: string) => {
    const step = stepOf(state, provider);
    return step.commit === null && !isSettled(step);
  };
  waiting.ids.add(id);
  try {
    while (providers.some(isMissing) && !waiting.isHopeless) await wait(pollMs, undefined, { signal: stop });
  } finally {
    waiting.ids.delete(id);
  }
}
