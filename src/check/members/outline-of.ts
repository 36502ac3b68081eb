import type { SeamContext } from '#check/context.ts';
import type { Change } from '#git/tree.ts';
import { type Outline, outlineSide, type PackedOutline } from './side.ts';

/** What a member changed and leads to. `from`: the tree that its changes are counted from. */
export async function outlineOf(
  { links, trees, outcomes, reader, pythonRoots }: SeamContext,
  member: Pick<Outline, 'ref' | 'commit' | 'isBase'> & { readonly tree: string },
  from: string,
  changes: readonly Change[],
): Promise<Outline> {
  const { ref, commit, isBase, tree } = member;
  const questionOf = (id: string) => ['outline', from, id, pythonRoots];
  const question = questionOf(tree);
  const linked = await links.get(tree, ref);
  const predecessor = links.predecessorOf(tree);
  const [known] = outcomes.read([question]) as [PackedOutline | undefined];
  const earlier = known || !predecessor ? [] : [questionOf(predecessor.tree)];
  const [before] = outcomes.read(earlier) as [PackedOutline | undefined];
  const { outline, packed } = await outlineSide(
    { ref, commit, isBase },
    { linked, code: await trees.get(tree) },
    changes,
    reader,
    { known, before: before && predecessor ? { ...before, isSame: predecessor.isSame } : undefined },
  );
  if (!known) outcomes.remember(question, packed);
  return outline;
}
