import { type OwnWorktree, withOwnWorktree } from '#gates/runner/own-worktree.ts';
import { openWorktreeReader } from '#git/worktrees/worktree-tree.ts';
import type { BaselineSource } from './baseline.ts';

type Wanted = Omit<OwnWorktree, 'reason'> &
  Pick<BaselineSource, 'dependencies' | 'isOptional'> & {
    /** Dependency folders, which are not part of the tree. */
    readonly except: readonly string[];
  };

/** A base commit that is run in a separate worktree. */
export function ownBaseline(wanted: Wanted): BaselineSource {
  const { repository, scratch, commit, dependencies, isOptional, except } = wanted;
  const reason = 'joinery: the tests of the base commit';
  return {
    scratch,
    commit,
    dependencies,
    isOptional,
    withWorktree: (body) =>
      withOwnWorktree({ ...wanted, reason }, async (path) =>
        body(await openWorktreeReader(repository, scratch, path, except)),
      ),
  };
}
