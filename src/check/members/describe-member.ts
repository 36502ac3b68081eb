import type { CheckContext } from '#check/context.ts';
import type { Change } from '#git/trees/tree.ts';
import { describeChanges, type Member, type PackedMember } from './member.ts';

/** What a member changed and depends on. `from`: the tree that its changes are counted from. */
export async function describeMember(
  { links, trees, outcomes, reader, pythonRoots }: CheckContext,
  wanted: Pick<Member, 'ref' | 'commit' | 'isBase'> & { readonly tree: string },
  from: string,
  changes: readonly Change[],
): Promise<Member> {
  const { ref, commit, isBase, tree } = wanted;
  const questionOf = (id: string) => ['outline', from, id, pythonRoots];
  const question = questionOf(tree);
  const linked = await links.get(tree, ref);
  const predecessor = links.predecessorOf(tree);
  const [known] = outcomes.read([question]) as [PackedMember | undefined];
  const earlier = known || !predecessor ? [] : [questionOf(predecessor.tree)];
  const [before] = outcomes.read(earlier) as [PackedMember | undefined];
  const { member, packed } = await describeChanges(
    { ref, commit, isBase, changesResolution: await trees.redirects(changes) },
    { linked, code: await trees.get(tree) },
    changes,
    reader,
    { known, before: before && predecessor ? { ...before, isSame: predecessor.isSame } : undefined },
  );
  if (!known) outcomes.remember(question, packed);
  return member;
}
