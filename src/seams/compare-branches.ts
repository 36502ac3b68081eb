import { type Change, diffTrees } from '../git/tree.ts';
import { mergePairs } from '../git/unions.ts';
import type { BranchWork } from './branches.ts';
import { canClose } from './detectors/symbols/import-cycles.ts';
import { pathCollisions } from './detectors/text/union-text.ts';
import { comparePair, nothingBetween, type PairOutcome, pairQuestion, unionOf } from './pair-outcome.ts';
import { pairKey, relatedPairs } from './related.ts';
import type { SeamContext } from './seam-context.ts';
import { linkChanges, type Outline, outlineSide, type PackedOutline, packOutline } from './side.ts';
import { canClash } from './union-problems.ts';
import { pairsToMerge, type Tip } from './unions.ts';

/** Base has moved since a branch forked: its own changes are a member like any other. */
export async function compareWithBase(context: SeamContext): Promise<PairOutcome[]> {
  const { base, outcomes, workspace } = context;
  const moved = context.branches.flatMap((branch) =>
    (branch.state === 'checked' || branch.state === 'conflicted') && branch.baseMerge !== null
      ? [{ ...branch, merge: branch.baseMerge }]
      : [],
  );
  const questions = moved.map((branch) => pairQuestion(context, branch.mergeBaseTree, base, branch));
  const known = outcomes.read(questions) as (PairOutcome | undefined)[];
  const open = moved.filter((_, index) => !known[index]);
  await context.trees.getAll(open.flatMap(({ merge }) => unionOf(merge)));
  // Branches that forked at one commit share what base did since.
  const forks = [...new Set(open.map(({ mergeBaseTree }) => mergeBaseTree))];
  const changes = await diffTrees(
    workspace.scratch.git,
    forks.map((fork) => [fork, base.tree] as const),
    { renames: true },
  );
  const baseSides = new Map<string, Outline>();
  for (const [index, fork] of forks.entries())
    baseSides.set(fork, await outlineOf(context, { ...base, isBase: true }, fork, changes[index] ?? []));
  const results: PairOutcome[] = [];
  for (const [index, branch] of moved.entries()) {
    const earlier = known[index];
    const baseSide = baseSides.get(branch.mergeBaseTree);
    if (earlier || !baseSide) {
      if (earlier) results.push(earlier);
      continue;
    }
    context.progress(`comparing ${branch.ref} with ${base.ref}`);
    const own = await outlineOf(context, { ...branch, isBase: false }, branch.mergeBaseTree, branch.changes);
    const outcome = await comparePair(context, baseSide, own, branch.merge);
    outcomes.remember(questions[index] ?? [], outcome);
    results.push(outcome);
  }
  return results;
}

/** What each branch changed and leads to, merged with base. */
export async function outlineTips(
  context: SeamContext,
  live: readonly BranchWork[],
  tips: readonly Tip[],
): Promise<Outline[]> {
  const { workspace, base } = context;
  // A branch that forked from base's tip was compared with it already.
  const isKnown = (index: number) =>
    live[index]?.mergeBaseTree === base.tree && live[index].tree === tips[index]?.tree;
  const compared = await diffTrees(
    workspace.scratch.git,
    tips.map(({ tree }, index) => [base.tree, isKnown(index) ? base.tree : tree] as const),
    { renames: true },
  );
  const changes = live.map((branch, index) => (isKnown(index) ? branch.changes : (compared[index] ?? [])));
  await context.links.getAll(tips.map(({ tree, ref }) => ({ tree, role: ref })));
  const outlines: Outline[] = [];
  for (const [index, { ref, commit }] of live.entries()) {
    context.progress(`reading ${ref}`);
    const tree = tips[index]?.tree ?? '';
    const member = { ref, commit, tree, isBase: false };
    outlines.push(await outlineOf(context, member, base.tree, changes[index] ?? []));
  }
  return outlines;
}

/** `from`: the tree that its changes are counted from. */
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
  const [known, before] = outcomes.read([question, questionOf(predecessor?.tree ?? '')]) as [
    PackedOutline | undefined,
    PackedOutline | undefined,
  ];
  const side = await outlineSide(
    { ref, commit, isBase },
    { linked, code: await trees.get(tree) },
    changes,
    reader,
    { known, before: before && predecessor ? { ...before, isSame: predecessor.isSame } : undefined },
  );
  if (!known) outcomes.remember(question, packOutline(side));
  return side;
}

/** One outcome for each pair of tips that git merges: up to some number all of them, then those that can meet. */
export async function comparePairs(
  context: SeamContext,
  tips: readonly Tip[],
  sides: readonly Outline[],
): Promise<(PairOutcome & { readonly a: number; readonly b: number })[]> {
  const { base, outcomes, workspace } = context;
  const related = relatedPairs(sides);
  const isRelated = (a: number, b: number) => related.has(pairKey(a, b));
  const pairs = pairsToMerge(tips.length, related).flatMap(({ a, b }) => {
    const [left, right] = [sides[a], sides[b]];
    const [tipOfA, tipOfB] = [tips[a], tips[b]];
    return left && right && tipOfA && tipOfB ? [{ a, b, left, right, tipOfA, tipOfB }] : [];
  });
  const questions = pairs.map(({ left, right, tipOfA, tipOfB }) =>
    pairQuestion(context, base.tree, { ...left, tree: tipOfA.tree }, { ...right, tree: tipOfB.tree }),
  );
  const known = outcomes.read(questions) as (PairOutcome | undefined)[];
  const open = pairs.flatMap((pair, index) => (known[index] ? [] : [{ ...pair, index }]));
  const merges = await mergePairs(
    workspace.scratch.git,
    open.map(({ tipOfA, tipOfB }) => [tipOfA.commit, tipOfB.commit] as const),
  );
  for (const { a, b, left, right } of open)
    if (isRelated(a, b)) await Promise.all([linkChanges(left), linkChanges(right)]);
  const meeting = open.map(({ a, b, left, right, index }, at) => {
    const merge = merges[at] ?? { status: 'failed' as const, reason: 'no answer from git' };
    const meets =
      merge.status !== 'clean' ||
      (isRelated(a, b) &&
        (canClash(left, right) || canClose(left, right) || pathCollisions(left, right).length > 0));
    return { left, right, index, merge, meets };
  });
  await context.trees.getAll(meeting.flatMap(({ merge, meets }) => (meets ? unionOf(merge) : [])));
  const found = new Map<number, PairOutcome>();
  for (const { left, right, index, merge, meets } of meeting) {
    if (meets) context.progress(`comparing ${left.ref} with ${right.ref}`);
    const outcome = meets ? await comparePair(context, left, right, merge) : nothingBetween(merge);
    found.set(index, outcome);
    outcomes.remember(questions[index] ?? [], outcome);
  }
  return pairs.flatMap(({ a, b }, index) => {
    const outcome = known[index] ?? found.get(index);
    return outcome ? [{ ...outcome, a, b }] : [];
  });
}
