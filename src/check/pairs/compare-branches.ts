import type { Tip } from '#check/branches/tips.ts';
import type { SeamContext } from '#check/context.ts';
import { outlineOf } from '#check/members/outline-of.ts';
import { linkChanges, type Outline } from '#check/members/side.ts';
import { canClash, suspectsOf } from '#check/members/union-problems.ts';
import { canClose } from '#check/rules/symbols/import-cycles.ts';
import { pathCollisions } from '#check/rules/text/union-text.ts';
import { addUp, pairsToCompare } from '#check/unions/unions.ts';
import { diffTrees } from '#git/tree.ts';
import { type Merge, mergePairs, noAnswer } from '#git/unions.ts';
import { comparePair, nothingBetween, type PairOutcome, pairQuestion, unionOf } from './pair-outcome.ts';
import { pairKey, relatedPairs } from './related.ts';
import { onSharedGround } from './shared-ground.ts';

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
export async function outlineTips(context: SeamContext, tips: readonly Tip[]): Promise<Outline[]> {
  await context.links.getAll(tips.map(({ tree, ref }) => ({ tree, role: ref })));
  const outlines: Outline[] = [];
  for (const { ref, branch, tree, changes } of tips) {
    context.progress(`reading ${ref}`);
    const member = { ref, commit: branch, tree, isBase: false };
    outlines.push(await outlineOf(context, member, context.base.tree, changes));
  }
  return outlines;
}

/** One outcome for each pair of tips that can meet; up to some number of tips for each pair. */
export async function comparePairs(
  context: SeamContext,
  tips: readonly Tip[],
  sides: readonly Outline[],
): Promise<(PairOutcome & { readonly a: number; readonly b: number })[]> {
  const { base, history, outcomes } = context;
  const related = relatedPairs(sides);
  const entangled = tips.flatMap((tip, a) => [...tip.entangled].map((b) => pairKey(a, b)));
  const pairs = pairsToCompare(tips.length, new Set([...related, ...entangled])).flatMap(({ a, b }) => {
    const [left, right] = [sides[a], sides[b]];
    const [tipOfA, tipOfB] = [tips[a], tips[b]];
    if (!left || !right || !tipOfA || !tipOfB) return [];
    const key = pairKey(a, b);
    const isEntangled = tipOfA.entangled.has(b);
    const relation = isEntangled ? history.relation(tipOfA.branch, tipOfB.branch) : 'apart';
    return [{ a, b, key, left, right, tipOfA, tipOfB, isRelated: related.has(key), isEntangled, relation }];
  });
  const close = pairs
    .filter(({ isRelated, isEntangled }) => isRelated || isEntangled)
    .map((pair) => ({
      ...pair,
      question: pairQuestion(
        context,
        base.tree,
        { ...pair.left, tree: pair.tipOfA.tree },
        { ...pair.right, tree: pair.tipOfB.tree },
      ),
    }));
  const known = outcomes.read(close.map(({ question }) => question)) as (PairOutcome | undefined)[];
  const found = new Map(close.flatMap(({ key }, index) => (known[index] ? [[key, known[index]]] : [])));
  const open = close.filter((_, index) => !known[index]);
  const meeting = await mergeClose(context, [
    ...open.filter(({ relation }) => relation === 'apart'),
    ...(await onSharedGround(
      context,
      open.filter(({ relation }) => relation === 'sharing'),
    )),
  ]);
  await readMerged(context, meeting);
  for (const { key, left, right, merge } of meeting) {
    if (merge) context.progress(`comparing ${left.ref} with ${right.ref}`);
    found.set(key, merge ? await comparePair(context, left, right, merge) : nothingBetween('clean'));
  }
  for (const { a, b, key, question, relation } of open) {
    const outcome = found.get(key) ?? nothingBetween('clean');
    const suspects = relation === 'apart' ? [] : await suspectsBetween(sides[a], sides[b]);
    found.set(key, { ...outcome, suspects: [...new Set([...outcome.suspects, ...suspects])] });
    outcomes.remember(question, found.get(key));
  }
  return pairs.map(({ a, b, key }) => ({ ...(found.get(key) ?? nothingBetween('clean')), a, b }));
}

/** What others may change for files that two branches share is no matter of what these changed since. */
async function suspectsBetween(a: Outline | undefined, b: Outline | undefined): Promise<string[]> {
  if (!a || !b) return [];
  await Promise.all([linkChanges(a), linkChanges(b)]);
  return [...suspectsOf(a, b), ...suspectsOf(b, a)].flatMap((path) => [
    path,
    a.renames.get(path) ?? b.renames.get(path) ?? path,
  ]);
}

/** Files that no member has as they are in a union: read for all pairs at once, as git answers many questions best. */
async function readMerged(
  { trees, reader }: SeamContext,
  meeting: readonly (ClosePair & { readonly merge: Merge | null })[],
): Promise<void> {
  const merged = meeting.flatMap(({ left, right, merge }) =>
    (merge ? unionOf(merge) : []).map((union) => ({ left, right, union })),
  );
  const unions = await trees.getAll(merged.map(({ union }) => union));
  await reader.load(
    merged.flatMap(({ left, right, union }, index) =>
      [...(unions[index]?.git.differences ?? [])].flatMap(([path, entry]) => {
        const isMerged =
          entry?.kind === 'file' &&
          !union.conflicted.has(path) &&
          ![left, right].some(({ tree }) => tree.git.blob(path) === entry.id);
        return isMerged ? [{ path, blob: entry.id }] : [];
      }),
    ),
  );
}

interface ClosePair {
  readonly left: Outline;
  readonly right: Outline;
  readonly tipOfA: Tip;
  readonly tipOfB: Tip;
  readonly isRelated: boolean;
  readonly isEntangled: boolean;
}

/** The merges of pairs that have to be looked at; null for those whose text is clean and that do not meet. */
async function mergeClose<Pair extends ClosePair>(
  context: SeamContext,
  pairs: readonly Pair[],
): Promise<(Pair & { readonly merge: Merge | null })[]> {
  const byGit = await mergeEntangled(
    context,
    pairs.filter(({ isEntangled }) => isEntangled),
  );
  const result: (Pair & { readonly merge: Merge | null })[] = [];
  for (const pair of pairs) {
    const { left, right, tipOfA, tipOfB, isRelated } = pair;
    if (isRelated) await Promise.all([linkChanges(left), linkChanges(right)]);
    const merge = byGit.get(pair);
    const meets =
      (merge !== undefined && merge.status !== 'clean') ||
      (isRelated &&
        (canClash(left, right) || canClose(left, right) || pathCollisions(left, right).length > 0));
    result.push({ ...pair, merge: meets ? (merge ?? (await addUp(context, tipOfA, tipOfB))) : null });
  }
  return result;
}

/**
 * All pairs in one batch. What does not merge is merged again as it would land, one after the other: a conflict is one
 * that git reports in either order.
 */
async function mergeEntangled<Pair extends ClosePair>(
  { workspace }: SeamContext,
  pairs: readonly Pair[],
): Promise<Map<Pair, Merge>> {
  const { git } = workspace.scratch;
  const merges = await mergePairs(
    git,
    pairs.map(({ tipOfA, tipOfB }) => [tipOfA.commit, tipOfB.commit] as const),
  );
  const byGit = new Map(pairs.map((pair, index) => [pair, merges[index] ?? noAnswer]));
  const isMerged = ({ branch, commit }: Tip) => branch !== commit;
  const doubtful = pairs.filter(
    (pair) => byGit.get(pair)?.status !== 'clean' && (isMerged(pair.tipOfA) || isMerged(pair.tipOfB)),
  );
  const landings = doubtful.flatMap((pair) => {
    const { tipOfA, tipOfB } = pair;
    return [
      { pair, commits: [tipOfA.commit, tipOfB.branch] as const },
      { pair, commits: [tipOfB.commit, tipOfA.branch] as const },
    ];
  });
  const landed = await mergePairs(
    git,
    landings.map(({ commits }) => commits),
  );
  for (const [index, { pair }] of landings.entries()) {
    const merge = landed[index];
    if (merge?.status === 'clean') byGit.set(pair, merge);
  }
  return byGit;
}
