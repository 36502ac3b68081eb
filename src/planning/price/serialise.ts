import { tasksInOrder } from '#planning/decompose/order.ts';
import type { Plan } from '#schema/plan.ts';

/** The same tasks in series: each waits for the previous one. */
export function serialised(plan: Plan, reason: string): Plan {
  const ordered = tasksInOrder(plan.tasks);
  const tasks = ordered.map((task, index) => {
    const before = ordered[index - 1]?.id;
    const missing = before === undefined || task.dependsOn.includes(before) ? [] : [before];
    return { ...task, dependsOn: [...task.dependsOn, ...missing] };
  });
  return { ...plan, tasks, approach: { mode: 'serial', reason } };
}
