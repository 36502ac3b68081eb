import type { DataOf } from '#schema/event.ts';

/** Of the tasks that one depends on, those whose handoff its isolation let through: nobody cites what was kept from it. */
export function givenWork(
  dependsOn: readonly string[],
  prompt: Pick<DataOf<'attempt.prompted'>, 'isolated'> | null | undefined,
): string[] {
  const isolated = prompt?.isolated ?? [];
  return dependsOn.filter((task) => !isolated.some((section) => section.startsWith(`handoff/${task}#`)));
}
