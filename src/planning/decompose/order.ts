import type { Plan } from '#schema/plan.ts';

type Tasks = readonly Pick<Plan['tasks'][number], 'id' | 'dependsOn'>[];

/** Of each task everything it waits for, directly or not. A circle ends where it began. */
function ancestorsOf(tasks: Tasks): Map<string, ReadonlySet<string>> {
  const direct = new Map(tasks.map(({ id, dependsOn }) => [id, dependsOn]));
  return new Map(tasks.map(({ id }) => [id, reach(id, direct)]));
}

function reach(start: string, direct: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set<string>();
  const open = [...(direct.get(start) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(direct.get(next) ?? []));
  }
  return seen;
}

/** Pairs of tasks that may be worked on at the same time, in the order of the plan. */
export function parallelPairs<Task extends Tasks[number]>(tasks: readonly Task[]): [Task, Task][] {
  const ancestors = ancestorsOf(tasks);
  return tasks.flatMap((a, index) =>
    tasks
      .slice(index + 1)
      .filter((b) => !ancestors.get(a.id)?.has(b.id) && !ancestors.get(b.id)?.has(a.id))
      .map((b): [Task, Task] => [a, b]),
  );
}

/** Every task after those it depends on, otherwise as they are listed. Tasks of a circle are left out. */
export function inOrder<Task extends Tasks[number]>(tasks: readonly Task[]): Task[] {
  const done = new Set<string>();
  const ordered: Task[] = [];
  for (let round = tasks; ; ) {
    const ready = round.filter((task) => task.dependsOn.every((id) => done.has(id)));
    if (ready.length === 0) return ordered;
    const [first] = ready;
    if (!first) return ordered;
    done.add(first.id);
    ordered.push(first);
    round = round.filter((task) => task !== first);
  }
}
