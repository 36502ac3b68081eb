import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attemptMark } from '#crew/state/names.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { ownFolder } from '#lib/own-place.ts';
import { taskEnvironment } from './environment.ts';

/** Agents can write here, so each call checks that it is a folder and ours. */
export function scratchOf(flow: TaskFlow): string {
  return ownFolder(flow.premises.scratch, 'tasks', flow.slug);
}

/** For the files of one agent; the task's other programs must not use it. */
export function agentScratch(flow: TaskFlow, attempt: number): string {
  return join(scratchOf(flow), `agent-${attempt}`);
}

/** Where an interrupted attempt left its traces: in the folder of the holder that started it. */
export function tracesOf(flow: TaskFlow, attempt: number): string {
  const all = flow.workshop.folders.scratch(flow.context.run);
  const holders = readdirSync(all).toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const places = holders.map((holder) => join(all, holder, 'tasks', flow.slug, `agent-${attempt}`));
  return places.find((place) => existsSync(place)) ?? agentScratch(flow, attempt);
}

export function environmentOf(
  flow: TaskFlow,
  plan: AttemptPlan,
  scratch = scratchOf(flow),
): Record<string, string> {
  const { workshop, context } = flow;
  return taskEnvironment(
    {
      run: context.run,
      task: flow.id,
      slug: flow.slug,
      mark: attemptMark(context.run, flow.slug, plan.n),
      scratch,
      ports: workshop.claimPorts(context.run, flow.id),
    },
    workshop.env,
  );
}
