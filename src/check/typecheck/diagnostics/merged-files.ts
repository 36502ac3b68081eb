import type { CheckContext } from '#check/context.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { Meeting } from './meeting.ts';

/** Only a file that several members have changed, base included, can stop compiling by itself in their union. */
export async function mergedFiles(
  context: CheckContext,
  { sides, live }: Meeting,
  base: GitTree,
  isAsked: (path: string) => boolean,
): Promise<string[]> {
  const count = new Map<string, number>();
  for (const [index, { changed, tree }] of sides.entries()) {
    const branch = context.branches.find(({ ref }) => ref === live[index]?.ref);
    const own = branch ? (await context.trees.get(branch.tree)).git : tree.git;
    for (const path of changed.keys()) {
      if (!isAsked(path)) continue;
      const blob = tree.git.blob(path);
      const isMerge = blob !== own.blob(path) && blob !== base.blob(path);
      count.set(path, (count.get(path) ?? 0) + (isMerge ? 2 : 1));
    }
  }
  return [...count].flatMap(([path, times]) => (times > 1 ? [path] : [])).sort();
}
