import type { SeamContext } from '#check/context.ts';
import { entangledSides } from '#git/entangled.ts';
import type { ObjectReader } from '#git/object-reader.ts';
import { type Change, diffTrees, directoriesAbove, type GitTree } from '#git/tree.ts';
import type { BranchWork } from './branches.ts';

/** A branch as it meets the others: merged with base. */
export interface Tip {
  readonly ref: string;
  /** The commit of the branch itself. */
  readonly branch: string;
  /** The branch merged with base. */
  readonly commit: string;
  readonly tree: string;
  /** Against base. */
  readonly changes: readonly Change[];
  /** Indexes of the tips that only git can merge it with; with all others it merges clean, path by path. */
  readonly entangled: ReadonlySet<number>;
}

export async function readTips(context: SeamContext, live: readonly BranchWork[]): Promise<Tip[]> {
  const { workspace, base, trees } = context;
  const tips = live.map(({ ref, commit, merged }) => ({
    ref,
    branch: commit,
    commit: merged?.commit ?? '',
    tree: merged?.tree ?? '',
  }));
  // A branch that forked from base's tip was compared with it already.
  const isKnown = (index: number) =>
    live[index]?.mergeBaseTree === base.tree && live[index].tree === tips[index]?.tree;
  const compared = await diffTrees(
    workspace.scratch.git,
    tips.map(({ tree }, index) => [base.tree, isKnown(index) ? base.tree : tree] as const),
    { renames: true },
  );
  const changes = live.map((branch, index) => (isKnown(index) ? branch.changes : (compared[index] ?? [])));
  const baseTree = (await trees.get(base.tree)).git;
  const work = await Promise.all(
    live.map(async (branch, index) => ({
      first: branch.first,
      // Git merges what a branch did since it forked, also what base has done as well.
      changes: isKnown(index) ? branch.changes : [...branch.changes, ...(changes[index] ?? [])],
      isUnsure: branch.isCrissCross || (!isKnown(index) && (await hasLostGround(context, branch, baseTree))),
    })),
  );
  const entangled = entangledSides(work, baseTree);
  return tips.map((tip, index) => {
    trees.expect(tip.tree, changes[index] ?? []);
    return { ...tip, changes: changes[index] ?? [], entangled: entangled[index] ?? new Set() };
  });
}

/**
 * Base has given up a file that the branch touches, or a directory that it adds to. Another branch may add what git then
 * takes for the new place of it.
 */
async function hasLostGround(
  { workspace }: SeamContext,
  { changes, mergeBaseTree }: BranchWork,
  base: GitTree,
): Promise<boolean> {
  const isLost = ({ path, oldPath, before }: Change) =>
    before !== null && base.entry(oldPath ?? path) === undefined;
  if (changes.some(isLost)) return true;
  const added = changes.filter(({ status }) => status === 'added' || status === 'renamed');
  const directories = new Set(added.flatMap(({ path }) => [...directoriesAbove(path)]));
  const absent = [...directories].filter((directory) => !base.isDirectory(directory));
  const earlier = await Promise.all(
    absent.map((directory) => isInTree(workspace.names, mergeBaseTree, directory)),
  );
  return earlier.includes(true);
}

async function isInTree(names: ObjectReader, tree: string, path: string): Promise<boolean> {
  const isAskable = path.isWellFormed() && !path.includes('\n');
  return !isAskable || (await names.header(`${tree}:${path}`)) !== null;
}
