import type { CheckContext } from '#check/context.ts';
import { type Meeting, unionsOfLeftOut } from '#check/typecheck/diagnostics/meeting.ts';
import { mergeMany } from '#check/unions/unions.ts';

/** The union of all branches that merge, and those of the branches that it leaves out. */
export async function* unionsOf(
  context: CheckContext,
  meeting: Meeting,
): AsyncIterable<{ readonly tree: string; readonly members: readonly number[] }> {
  const { full, live } = meeting;
  if (full.tree !== null && full.members.length > 0) yield { tree: full.tree, members: full.members };
  for (const members of unionsOfLeftOut(meeting)) {
    const merged = await mergeMany(context, live, members);
    if (merged.tree !== null && merged.members.length > 1)
      yield { tree: merged.tree, members: merged.members };
  }
}
