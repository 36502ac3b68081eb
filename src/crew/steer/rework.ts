import { describeClash } from '#crew/state/clash.ts';
import { taskBranch, taskSlugs } from '#crew/state/names.ts';
import { hasEnded, isSettled, type RunState, type StepState, stepOf } from '#crew/state/state.ts';
import type { DataOf, EventDraft } from '#schema/event.ts';
import type { Task } from '#schema/plan.ts';
import type { Clash } from '#schema/run.ts';
import { breaks } from '#schema/verdict.ts';

/** Finished work that does not fit accepted work, both together on one commit. */
interface Waiting {
  readonly task: string;
  readonly start: NonNullable<DataOf<'run.extended'>['start']>;
}

/**
 * A task on top of accepted work that adapts it to waiting work. It starts from both, so that its agent sees both sides; the
 * waiting work is merged together with it.
 */
export function reworkOfAccepted(
  run: string,
  state: RunState,
  clashes: readonly Clash[],
  { task: waiting, start }: Waiting,
): DataOf<'run.extended'> {
  const owners = [...new Set(clashes.flatMap(({ owner }) => owner ?? []))];
  const roots = [...new Set(owners.flatMap((id) => rootsOf(state, id)))];
  const [first = waiting] = roots;
  const id = freeId(state, first);
  const steps = roots.map((root) => stepOf(state, root));
  const own = clashes.map((clash) => ownedBy(clash, id));
  const sites = own.flatMap((clash) => clash.sites.filter(({ task }) => task !== waiting));
  const task: Task = {
    id,
    title: `Rework of ${named(roots)}: make it fit task ${waiting}`,
    description: [
      `The work of ${named(roots)} was accepted. The work of task ${waiting} is finished and does not fit it.`,
      `The worktree holds both. Change the work of ${named(roots)}, and leave the files of task ${waiting} as they are.`,
      '',
      ...numbered(own.map(describeClash)),
    ].join('\n'),
    dependsOn: roots,
    files: [...new Set([...steps.flatMap(filesOf), ...sites.map(({ file }) => file)])],
    acceptance: steps.flatMap((step) => step.task.acceptance),
    ...inherited(steps),
  };
  return { task, branch: branchOf(run, state, task), reworks: roots, takes: [], clashes: own, start };
}

/** An added task about accepted work of one of these that is not accepted itself. */
export function openReworkOf({ steps }: RunState, owners: ReadonlySet<string>): StepState | null {
  const isAbout = ({ rework, status }: StepState) =>
    status !== 'accepted' && status !== 'skipped' && (rework?.reworks ?? []).some((id) => owners.has(id));
  return [...steps.values()].find(isAbout) ?? null;
}

/** Tasks that were added for the work that a step has now. */
export function reworksFor({ steps }: RunState, { commit }: StepState): StepState[] {
  return [...steps.values()].filter(({ rework }) => commit !== null && rework?.start?.waiting === commit);
}

/** The tasks of the plan whose work a rework task changed. */
export function rootsOf(state: RunState, id: string): string[] {
  const { rework } = stepOf(state, id);
  return rework && rework.reworks.length > 0 ? [...rework.reworks] : [id];
}

/** Tasks that were not accepted and that no other task works on. */
export function remainingOf({ steps }: RunState): StepState[] {
  return [...steps.values()].filter(({ status }) => status === 'failed' || status === 'escalated');
}

/** The running task for all remaining work. */
export function openFixOf({ steps }: RunState): StepState | null {
  return [...steps.values()].find((step) => (step.rework?.takes.length ?? 0) > 0 && !isSettled(step)) ?? null;
}

/** One task for all remaining work, starting from what those tasks have. Empty when nothing remains. */
export function fixEvents(run: string, state: RunState): EventDraft[] {
  const open = remainingOf(state);
  if (open.length === 0 || openFixOf(state) !== null) return [];
  const takes = open.map(({ task }) => task.id);
  const id = freeId(state, null);
  const clashes = uniqueClashes(
    open.flatMap(({ checks, told }) => [...(checks.at(-1)?.clashes ?? []), ...told]),
  );
  const own = clashes.map((clash) => ownedBy(clash, id));
  const sites = own.flatMap((clash) => clash.sites);
  const owners = new Set(sites.map(({ task }) => task));
  const files = [...new Set([...open.flatMap(filesOf), ...sites.map(({ file }) => file)])];
  const builtOn = [...state.steps.values()].filter(
    ({ status, task }) =>
      status === 'accepted' &&
      (owners.has(task.id) || open.some((step) => step.task.dependsOn.includes(task.id))),
  );
  const task: Task = {
    id,
    title: `Fix what remains of ${named(takes)}`,
    description: [
      `${named(takes, 'The work of ')} was not accepted. The worktree holds what there is of it, as far as it merges.`,
      'Finish it: all of the following has to be fixed.',
      '',
      ...open.map(({ task: { id: each, title, description } }) =>
        `Task ${each}: ${title}. ${description}`.trim(),
      ),
      '',
      ...numbered([...own.map(describeClash), ...open.flatMap(problemsOf)]),
    ].join('\n'),
    dependsOn: builtOn.map((step) => step.task.id),
    files,
    acceptance: open.flatMap((step) => step.task.acceptance),
    ...inherited(open),
  };
  const reopened: EventDraft[] = hasEnded(state)
    ? [{ type: 'run.reopened', data: { reason: `a rework of ${takes.join(', ')}` } }]
    : [];
  const answered = [...state.questions.values()]
    .filter(({ question, answer }) => answer === null && takes.includes(question.about ?? ''))
    .map(
      ({ question }): EventDraft => ({
        type: 'question.answered',
        data: { id: question.id, answer: question.default, by: 'person' },
      }),
    );
  // This task replaces a rework: tasks that wait for that one wait for this one.
  const taken = open.find(({ rework }) => rework?.start)?.rework;
  const data = {
    task,
    branch: branchOf(run, state, task),
    reworks: taken?.reworks ?? [],
    takes,
    clashes: own,
    start: taken?.start ?? null,
  };
  return [...reopened, ...answered, { type: 'run.extended', data }];
}

/** Problems of its last attempt, without conflicts. */
function problemsOf({ task, attempts, reason }: StepState): string[] {
  const found = (attempts.at(-1)?.findings ?? [])
    .filter(({ severity, fingerprint }) => breaks({ severity }) && !fingerprint.startsWith('clash:'))
    .map(({ message }) => `task ${task.id}: ${message}`);
  return found.length > 0 || reason === '' ? found : [`task ${task.id}: ${reason}`];
}

export function filesOf({ task, granted, files }: StepState): string[] {
  return [...task.files, ...granted, ...(task.files.length === 0 ? files : [])];
}

/** Model and agent of the tasks, where they agree. */
export function inherited(steps: readonly StepState[]): Pick<Task, 'tier' | 'agent' | 'specRefs'> {
  const agents = new Set(steps.map(({ task }) => task.agent));
  const tiers = new Set(steps.map(({ task }) => task.tier));
  const refs = steps.flatMap(({ task }) => task.specRefs ?? []);
  const [agent] = agents;
  const [tier] = tiers;
  return {
    ...(agents.size === 1 && agent !== undefined ? { agent } : {}),
    ...(tiers.size === 1 && tier !== undefined ? { tier } : {}),
    ...(refs.length > 0 ? { specRefs: refs } : {}),
  };
}

/** Worded for the task that has to change now. */
export function ownedBy(clash: Clash, owner: string): Clash {
  const tasks = clash.tasks.map((task) => (task === clash.owner ? owner : task));
  return { ...clash, owner, tasks: tasks.includes(owner) ? tasks : [...tasks, owner] };
}

function uniqueClashes(clashes: readonly Clash[]): Clash[] {
  return [...new Map(clashes.map((clash) => [clash.id, clash])).values()];
}

export function numbered(lines: readonly string[]): string[] {
  return [...new Set(lines)].map((line, index) => `${index + 1}. ${line}`);
}

/** 'task 1', 'tasks 1, 2'. */
function named(ids: readonly string[], before = ''): string {
  return `${before}${ids.length === 1 ? 'task' : 'tasks'} ${ids.join(', ')}`;
}

/** 'user-rework-1', or 'rework-1' for a task about several. */
export function freeId({ steps }: RunState, owner: string | null): string {
  for (let n = 1; ; n++) {
    const ending = `rework-${n}`;
    const id = owner === null ? ending : `${owner.slice(0, 39 - ending.length)}-${ending}`;
    if (!steps.has(id)) return id;
  }
}

export function branchOf(run: string, { plan }: RunState, task: Task): string {
  const slugs = taskSlugs({ ...plan, tasks: [...plan.tasks, task] });
  return taskBranch(run, slugs.get(task.id) ?? task.id);
}
