import type { Tip } from '#check/branches/tips.ts';
import type { SeamContext } from '#check/context.ts';
import { outlineOf } from '#check/members/outline-of.ts';
import type { Outline } from '#check/members/side.ts';
import { diffTrees } from '#git/tree.ts';
import { commitTree, mergePairs } from '#git/unions.ts';
import { relatedPairs } from './related.ts';

interface Sides {
  readonly tipOfA: Tip;
  readonly tipOfB: Tip;
  readonly left: Outline;
  readonly right: Outline;
  readonly isRelated: boolean;
}

/**
 * Pairs of branches that share commits beyond base, each side as what it changed since these: what both have is
 * neither's change.
 */
export async function onSharedGround<Pair extends Sides>(
  context: SeamContext,
  pairs: readonly Pair[],
): Promise<Pair[]> {
  const grounds = new Map<string, string>();
  const standing: { readonly pair: Pair; readonly ground: string }[] = [];
  for (const pair of pairs) {
    const bases = context.history.mergeBases(pair.tipOfA.branch, pair.tipOfB.branch);
    const key = bases.join(' ');
    const ground = grounds.get(key) ?? (await groundOf(context, bases));
    grounds.set(key, ground);
    standing.push({ pair, ground });
  }
  const outlines = await outlineAll(context, standing);
  return standing.map(({ pair, ground }) => {
    const left = outlines.get(keyOf(pair.tipOfA, ground)) ?? pair.left;
    const right = outlines.get(keyOf(pair.tipOfB, ground)) ?? pair.right;
    return { ...pair, left, right, isRelated: relatedPairs([left, right]).size > 0 };
  });
}

/** The tree of the commits that two branches share and base, merged as git merges several merge bases. */
async function groundOf({ workspace, base }: SeamContext, bases: readonly string[]): Promise<string> {
  const { git } = workspace.scratch;
  const [first = base.commit, ...others] = bases;
  let commit = first;
  let tree = await git.text(['rev-parse', '--verify', '--end-of-options', `${first}^{tree}`]);
  for (const other of others) {
    const [merge] = await mergePairs(git, [[commit, other]]);
    // Where they do not merge, each side has resolved that for itself since base.
    if (merge?.status !== 'clean') return base.tree;
    tree = merge.tree;
    commit = commitTree(workspace.scratch, tree, [commit, other]);
  }
  return tree;
}

async function outlineAll(
  context: SeamContext,
  standing: readonly { readonly pair: Sides; readonly ground: string }[],
): Promise<Map<string, Outline>> {
  const wanted = new Map(
    standing.flatMap(({ pair, ground }) =>
      [pair.tipOfA, pair.tipOfB].map((tip) => [keyOf(tip, ground), { tip, ground }] as const),
    ),
  );
  const changes = await diffTrees(
    context.workspace.scratch.git,
    [...wanted.values()].map(({ tip, ground }) => [ground, tip.tree] as const),
    { renames: true },
  );
  const outlines = new Map<string, Outline>();
  for (const [index, [key, { tip, ground }]] of [...wanted].entries()) {
    const member = { ref: tip.ref, commit: tip.branch, tree: tip.tree, isBase: false };
    outlines.set(key, await outlineOf(context, member, ground, changes[index] ?? []));
  }
  return outlines;
}

function keyOf({ ref }: Tip, ground: string): string {
  return `${ground} ${ref}`;
}
