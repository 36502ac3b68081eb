import { z } from 'zod';
import { describeClash } from '#crew/state/clash.ts';
import { hasEnded, isAccepted, openQuestions, type RunState } from '#crew/state/state.ts';
import type { EventDraft } from '#schema/event.ts';
import type { Task } from '#schema/plan.ts';
import { Clash } from '#schema/run.ts';
import { branchOf, filesOf, freeId, inherited, numbered, ownedBy } from './rework.ts';

const ObjectId = z.string().regex(/^[0-9a-f]{40,64}$/);

/** All work was accepted, but it does not fit the current target branch. */
export const TargetRework = z.object({
  target: z.string(),
  start: z.object({ accepted: ObjectId, waiting: ObjectId, commit: ObjectId }),
  clashes: z.array(Clash),
  conflicts: z.array(z.string()).describe('Files that hold conflict markers at the start.'),
  problems: z.array(z.string()).describe('What else kept the result from landing.'),
});
export type TargetRework = z.infer<typeof TargetRework>;

/** One task on top of all accepted work and the target as it is now. */
export function targetReworkEvents(run: string, state: RunState, wish: TargetRework): EventDraft[] {
  const steps = [...state.steps.values()];
  if (state.landed !== null || !steps.every((step) => isAccepted(state, step))) return [];
  const id = freeId(state, null);
  const { target, conflicts, problems, start } = wish;
  const clashes = wish.clashes.map((clash) => ownedBy(clash, id));
  const accepted = steps.filter(({ status }) => status === 'accepted');
  const sites = clashes.flatMap((clash) => clash.sites.map(({ file }) => file));
  // It is unknown which file a failed gate is about.
  const files = problems.length > 0 ? accepted.flatMap(filesOf) : [];
  const task: Task = {
    id,
    title: `Make the work of the run fit ${target}`,
    description: [
      `Every task was accepted. ${target} has moved since then, and the work no longer fits it.`,
      `The worktree contains both. Change the work of the run; keep the behaviour of ${target}.`,
      '',
      ...numbered([
        ...conflicts.map((path) => `${path} holds conflict markers: both sides are wanted`),
        ...clashes.map(describeClash),
        ...problems,
      ]),
    ].join('\n'),
    dependsOn: accepted.map(({ task: { id: each } }) => each),
    files: [...new Set([...conflicts, ...sites, ...files])],
    acceptance: [],
    ...inherited(accepted),
  };
  const reopened: EventDraft[] = hasEnded(state)
    ? [{ type: 'run.reopened', data: { reason: `a rework for ${target}` } }]
    : [];
  // Ask again whether to land once it fits.
  const answered = openQuestions(state)
    .filter(({ kind }) => kind === 'land')
    .map(
      ({ id: asked }): EventDraft => ({
        type: 'question.answered',
        data: { id: asked, answer: 'land', by: 'person' },
      }),
    );
  const data = {
    task,
    branch: branchOf(run, state, task),
    reworks: accepted.map(({ task: { id: each } }) => each),
    takes: [],
    clashes,
    start: { ...start, target },
  };
  return [...reopened, ...answered, { type: 'run.extended', data }];
}
