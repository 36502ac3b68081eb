import type { LiveBranch } from '#check/branches/branches.ts';
import type { CheckContext } from '#check/context.ts';
import { describeMember } from '#check/members/describe-member.ts';
import type { Member } from '#check/members/member.ts';
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
  const standing: { readonly pair: Pair; readonly ground: string }[] = [];
  for (const pair of pairs)
    standing.push({ pair, ground: await context.grounds.between(pair.branchOfA, pair.branchOfB) });
  const described = await describeAll(context, standing);
  return standing.map(({ pair, ground }) => {
    const left = described.get(keyOf(pair.branchOfA, ground)) ?? pair.left;
    const right = described.get(keyOf(pair.branchOfB, ground)) ?? pair.right;
    return { ...pair, left, right, isRelated: relatedPairs([left, right]).size > 0 };
  });
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
  const changes = await context.grounds.changes(
    [...wanted.values()].map(({ tip, ground }) => ({ ground, tree: tip.merged.tree })),
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
