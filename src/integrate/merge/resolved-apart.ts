import { join } from 'node:path';
import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Git } from '#git/call/git.ts';
import { treeOf, writeCommit } from '#git/merges/branches.ts';
import { treeWithChanges } from '#git/trees/pick-changes.ts';
import { type Change, diffTrees } from '#git/trees/tree.ts';

interface Resolved {
  /** The commit that the branches were merged onto. */
  readonly onto: string;
  readonly commit: string;
  /** The files whose conflicts were resolved. */
  readonly paths: readonly string[];
  readonly at: string;
}

/**
 * Splits a result into two branches, so that `check` can compare them: the files that were written to resolve conflicts, and
 * everything else.
 */
export async function resolvedApart(
  git: Git,
  folder: string,
  { onto, commit, paths, at }: Resolved,
): Promise<BranchTip[]> {
  const [changes = []] = await diffTrees(git, [[await treeOf(git, onto), await treeOf(git, commit)]], {
    renames: false,
  });
  const isResolved = ({ path }: Change) => paths.includes(path);
  const side = async (ref: string, own: readonly Change[]): Promise<BranchTip> => {
    const tree = await treeWithChanges(git, join(folder, 'index-resolved'), onto, own);
    return { ref, commit: await writeCommit(git, { tree, parents: [onto], message: ref, at }) };
  };
  return [
    await side('the resolution', changes.filter(isResolved)),
    await side(
      'the merged branches',
      changes.filter((change) => !isResolved(change)),
    ),
  ];
}
