import type { BranchTip } from '#check/branches/branch-tips.ts';
import { isAncestor, writeCommit } from '#git/branches.ts';
import type { Git } from '#git/git.ts';
import { GitError } from '#git/git-error.ts';
import { mergePairs } from '#git/unions.ts';

export interface MergedBranches {
  readonly commit: string;
  readonly merged: readonly BranchTip[];
  /** Branches that git refused to merge with what came before them. */
  readonly conflicts: readonly { readonly tip: BranchTip; readonly paths: readonly string[] }[];
}

/** Merges branches onto a commit, one after the other. Nothing is checked out and no ref moves. */
export async function mergeBranches(
  git: Git,
  onto: string,
  tips: readonly BranchTip[],
  at: string,
): Promise<MergedBranches> {
  let head = onto;
  const merged: BranchTip[] = [];
  const conflicts: { tip: BranchTip; paths: readonly string[] }[] = [];
  for (const tip of tips) {
    const [merge] = await mergePairs(git, [[head, tip.commit]]);
    if (!merge || merge.status === 'failed') {
      throw new GitError('merge-failed', `git could not merge ${tip.ref}: ${merge?.reason ?? 'no answer'}`, {
        exitCode: 5,
      });
    }
    if (merge.status === 'conflict') {
      conflicts.push({ tip, paths: merge.paths });
      continue;
    }
    merged.push(tip);
    if (await isAncestor(git, tip.commit, head)) continue;
    head = await writeCommit(git, {
      tree: merge.tree,
      parents: [head, tip.commit],
      message: `Merge ${tip.ref}`,
      at,
    });
  }
  return { commit: head, merged, conflicts };
}
