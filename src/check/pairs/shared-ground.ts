import type { LiveBranch } from '#check/branches/branches.ts';
import type { CheckContext } from '#check/context.ts';
import { describeMember } from '#check/members/describe-member.ts';
import type { Member } from '#check/members/member.ts';
import { commitTree, mergePairs } from '#git/merges/unions.ts';
import { diffTrees } from '#git/trees/tree.ts';
import { relatedPairs } from './related.ts';

interface Pairing {
  readonly branchOfA: LiveBranch;
  readonly branchOfB: LiveBranch;
  readonly left: Member;
  readonly right: Member;
  readonly isRelated: boolean;
}

/**
 * Pairs of branches that share commits beyond base. Each side counts only its changes since the shared commits: common changes count for
 * neither.
 */
export async function onSharedGround<Pair extends Pairing>(
  context: CheckContext,
  pairs: readonly Pair[],
): Promise<Pair[]> {
  const grounds = new Map<string, string>();
  const standing: { readonly pair: Pair; readonly ground: string }[] = [];
  for (const pair of pairs) {
    const bases = context.history.mergeBases(pair.branchOfA.commit, pair.branchOfB.commit);
    const key = bases.join(' ');
    const ground = grounds.get(key) ?? (await groundOf(context, bases));
    grounds.set(key, ground);
    standing.push({ pair, ground });
  }
  const described = await describeAll(context, standing);
  return standing.map(({ pair, ground }) => {
    const left = described.get(keyOf(pair.branchOfA, ground)) ?? pair.left;
    const right = described.get(keyOf(pair.branchOfB, ground)) ?? pair.right;
    return { ...pair, left, right, isRelated: relatedPairs([left, right]).size > 0 };
  });
}

/** The tree of the commits that two branches share, and base, merged as git merges several merge bases. */
async function groundOf({ workspace, base }: CheckContext, bases: readonly string[]): Promise<string> {
  const { git } = workspace.scratch;
  const [first = base.commit, ...others] = bases;
  let commit = first;
  let tree = await git.text(['rev-parse', '--verify', '--end-of-options', `${first}^{tree}`]);
  for (const other of others) {
    const [merge] = await mergePairs(git, [[commit, other]]);
    // Where they do not merge, each side has resolved the conflict in its own way.
    if (merge?.status !== 'clean') return base.tree;
    tree = merge.tree;
    commit = commitTree(workspace.scratch, tree, [commit, other]);
  }
  return tree;
}

async function describeAll(
  context: CheckContext,
  standing: readonly { readonly pair: Pairing; readonly ground: string }[],
): Promise<Map<string, Member>> {
  const wanted = new Map(
    standing.flatMap(({ pair, ground }) =>
      [pair.branchOfA, pair.branchOfB].map((tip) => [keyOf(tip, ground), { tip, ground }] as const),
    ),
  );
  const changes = await diffTrees(
    context.workspace.scratch.git,
    [...wanted.values()].map(({ tip, ground }) => [ground, tip.merged.tree] as const),
    { renames: true },
  );
  const described = new Map<string, Member>();
  for (const [index, [key, { tip, ground }]] of [...wanted].entries()) {
    const { ref, commit, merged } = tip;
    const member = { ref, commit, tree: merged.tree, isBase: false };
    described.set(key, await describeMember(context, member, ground, changes[index] ?? []));
  }
  return described;
}

function keyOf({ ref }: LiveBranch, ground: string): string {
  return `${ground} ${ref}`;
}
