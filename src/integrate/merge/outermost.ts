import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Git } from '#git/call/git.ts';

/** Branches that no other one contains; several branches at one commit all count. */
export async function outermostOf(git: Git, tips: readonly BranchTip[]): Promise<readonly BranchTip[]> {
  const commits = [...new Set(tips.map(({ commit }) => commit))];
  if (commits.length < 2) return tips;
  const outer = new Set((await git.text(['merge-base', '--independent', ...commits])).split('\n'));
  return tips.filter(({ commit }) => outer.has(commit));
}
