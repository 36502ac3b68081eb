import type { SeamContext } from '#check/context.ts';
import { entangledSides } from '#git/entangled.ts';
import { type Change, diffTrees } from '#git/tree.ts';
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
  const tips = live.map(({ ref, commit, first, merged }) => ({
    ref,
    branch: commit,
    commit: merged?.commit ?? '',
    tree: merged?.tree ?? '',
    // What was merged with base by us begins with that merge.
    first: merged?.commit === commit ? first : [merged?.commit ?? ''],
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
  const work = tips.map(({ first }, index) => ({ first, changes: changes[index] ?? [] }));
  const entangled = entangledSides(work, (await trees.get(base.tree)).git);
  return tips.map(({ first: _, ...tip }, index) => {
    trees.expect(tip.tree, changes[index] ?? []);
    return { ...tip, changes: changes[index] ?? [], entangled: entangled[index] ?? new Set() };
  });
}
