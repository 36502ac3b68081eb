import type { DataOf } from '#schema/event.ts';

/** The dependencies whose handoffs passed the task's isolation: an agent cannot cite what was withheld. */
export function givenWork(
  dependsOn: readonly string[],
  prompt: Pick<DataOf<'attempt.prompted'>, 'isolated'> | null | undefined,
): string[] {
  const isolated = prompt?.isolated ?? [];
  return dependsOn.filter((task) => !isolated.some((section) => section.startsWith(`handoff/${task}#`)));
}
