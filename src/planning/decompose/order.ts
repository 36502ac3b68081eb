import { inOrder, reachable } from '#lib/graph.ts';
import type { Plan } from '#schema/plan.ts';

type Tasks = readonly Pick<Plan['tasks'][number], 'id' | 'dependsOn'>[];

/** By task: everything it waits for, directly or not. */
function ancestorsOf(tasks: Tasks): Map<string, ReadonlySet<string>> {
  const direct = new Map(tasks.map(({ id, dependsOn }) => [id, dependsOn]));
  return new Map(tasks.map(({ id }) => [id, reachable([id], (each) => direct.get(each) ?? [])]));
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

/** Sorts every task after its dependencies and otherwise keeps the order. Tasks of a cycle are left out. */
export function tasksInOrder<Task extends Tasks[number]>(tasks: readonly Task[]): Task[] {
  return inOrder(
    tasks,
    ({ id }) => id,
    ({ dependsOn }) => dependsOn,
  );
}
