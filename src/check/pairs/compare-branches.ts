import type { LiveBranch } from '#check/branches/branches.ts';
import { passingVersions } from '#check/branches/passing-versions.ts';
import type { CheckContext } from '#check/context.ts';
import { describeMember } from '#check/members/describe-member.ts';
import { linkChanges, type Member } from '#check/members/member.ts';
import { canClash, suspectsOf } from '#check/members/union-problems.ts';
import { canMeetBeyondLinks } from '#check/rules/detect.ts';
import { addUp, pairsToCompare } from '#check/unions/unions.ts';
import { type Merge, mergePairs, noAnswer } from '#git/merges/unions.ts';
import { compareTrees } from '#git/trees/compare-trees.ts';
import { paceOf } from '#lib/pace.ts';
import { comparePair, nothingBetween, type PairOutcome, pairQuestion, unionOf } from './pair-outcome.ts';
import { pairKey, relatedPairs } from './related.ts';
import { onSharedGround } from './shared-ground.ts';

/** Where base has moved since a branch forked, base's changes are a member like any other. */
export async function compareWithBase(context: CheckContext): Promise<PairOutcome[]> {
  const { base, outcomes, workspace } = context;
  const moved = context.branches.flatMap((branch) =>
    (branch.state === 'checked' || branch.state === 'conflicted') && branch.baseMerge !== null
      ? [{ ...branch, merge: branch.baseMerge }]
      : [],
  );
  const questions = moved.map((branch) => pairQuestion(context, branch.mergeBaseTree, base, branch));
  const known = outcomes.read(questions) as (PairOutcome | undefined)[];
  const open = moved.filter((_, index) => !known[index]);
  // Branches that forked at one commit share the changes of base since, and come one after the other: one such member is in memory at a time.
  const byFork = [...Map.groupBy(open, ({ mergeBaseTree }) => mergeBaseTree)];
  const changes = await compareTrees(
    workspace,
    byFork.map(([fork]) => [fork, base.tree] as const),
    { renames: true },
  );
  await context.trees.compare(
    open.flatMap(({ tree, merge }) => [tree, ...unionOf(merge).map((union) => union.tree)]),
  );
  const passing = await passingVersions(context);
  const found = new Map<(typeof moved)[number], PairOutcome>();
  const pace = paceOf(open.length);
  const questionOf = new Map(moved.map((branch, index) => [branch, questions[index] ?? []]));
  for (const [index, [fork, branches]] of byFork.entries()) {
    context.progress(`comparing ${branches[0]?.ref} with ${base.ref}${pace(found.size)}`);
    const ofBase = await describeMember(context, { ...base, isBase: true }, fork, changes[index] ?? []);
    for (const branch of branches) {
      context.progress(`comparing ${branch.ref} with ${base.ref}${pace(found.size)}`);
      const own = await describeMember(context, { ...branch, isBase: false }, fork, branch.changes);
      const outcome = await comparePair(context, ofBase, own, branch.merge);
      outcomes.remember(questionOf.get(branch) ?? [], outcome);
      found.set(branch, outcome);
    }
    for (const { tree } of branches) context.links.release(tree);
    context.trees.release(branches.map(({ tree }) => ({ tree, conflicted: new Set() })));
    context.reader.forget(passing(changes[index] ?? []));
    context.keepAnswers();
  }
  return moved.flatMap((branch, index) => known[index] ?? found.get(branch) ?? []);
}

/** What each branch, merged with base, changed and depends on. */
export async function describeMembers(context: CheckContext, live: readonly LiveBranch[]): Promise<Member[]> {
  await context.links.getAll(live.map(({ merged: { tree }, ref }) => ({ tree, role: ref })));
  const members: Member[] = [];
  for (const { ref, commit, merged } of live) {
    context.progress(`reading ${ref}`);
    const { tree, changes } = merged;
    members.push(
      await describeMember(context, { ref, commit, tree, isBase: false }, context.base.tree, changes),
    );
  }
  return members;
}

/** One outcome for each pair of live branches that can meet; with few branches, for every pair. */
export async function comparePairs(
  context: CheckContext,
  live: readonly LiveBranch[],
  sides: readonly Member[],
): Promise<(PairOutcome & { readonly a: number; readonly b: number })[]> {
  const { base, history, outcomes } = context;
  const related = relatedPairs(sides);
  const entangled = live.flatMap((tip, a) => [...tip.merged.entangled].map((b) => pairKey(a, b)));
  const pairs = pairsToCompare(live.length, new Set([...related, ...entangled])).flatMap(({ a, b }) => {
    const [left, right] = [sides[a], sides[b]];
    const [branchOfA, branchOfB] = [live[a], live[b]];
    if (!left || !right || !branchOfA || !branchOfB) return [];
    const key = pairKey(a, b);
    const isEntangled = branchOfA.merged.entangled.has(b);
    const relation = isEntangled ? history.relation(branchOfA.commit, branchOfB.commit) : 'apart';
    return [
      { a, b, key, left, right, branchOfA, branchOfB, isRelated: related.has(key), isEntangled, relation },
    ];
  });
  const close = pairs
    .filter(({ isRelated, isEntangled }) => isRelated || isEntangled)
    .map((pair) => ({
      ...pair,
      question: pairQuestion(
        context,
        base.tree,
        { ...pair.left, tree: pair.branchOfA.merged.tree },
        { ...pair.right, tree: pair.branchOfB.merged.tree },
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

/** Counts all changes since base, including those that the two branches share: a third branch can affect any of them. */
async function suspectsBetween(a: Member | undefined, b: Member | undefined): Promise<string[]> {
  if (!a || !b) return [];
  await Promise.all([linkChanges(a), linkChanges(b)]);
  return [...suspectsOf(a, b), ...suspectsOf(b, a)].flatMap((path) => [
    path,
    a.renames.get(path) ?? b.renames.get(path) ?? path,
  ]);
}

/** Reads merged files, which no member has in this form, for all pairs in one git batch. */
async function readMerged(
  { trees, reader }: CheckContext,
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
  readonly left: Member;
  readonly right: Member;
  readonly branchOfA: LiveBranch;
  readonly branchOfB: LiveBranch;
  readonly isRelated: boolean;
  readonly isEntangled: boolean;
}

/** The merges of the pairs; null for pairs whose text merges and that cannot clash. */
async function mergeClose<Pair extends ClosePair>(
  context: CheckContext,
  pairs: readonly Pair[],
): Promise<(Pair & { readonly merge: Merge | null })[]> {
  const byGit = await mergeEntangled(
    context,
    pairs.filter(({ isEntangled }) => isEntangled),
  );
  const result: (Pair & { readonly merge: Merge | null })[] = [];
  for (const pair of pairs) {
    const { left, right, branchOfA, branchOfB, isRelated } = pair;
    if (isRelated) await Promise.all([linkChanges(left), linkChanges(right)]);
    const merge = byGit.get(pair);
    const meets =
      (merge !== undefined && merge.status !== 'clean') ||
      (isRelated && (canClash(left, right) || canMeetBeyondLinks(left, right)));
    result.push({ ...pair, merge: meets ? (merge ?? (await addUp(context, branchOfA, branchOfB))) : null });
  }
  return result;
}

/**
 * Merges all pairs in one batch. A pair that does not merge is tried again in both landing orders: it is a conflict
 * only if git reports one in either order.
 */
async function mergeEntangled<Pair extends ClosePair>(
  { workspace }: CheckContext,
  pairs: readonly Pair[],
): Promise<Map<Pair, Merge>> {
  const { git } = workspace.scratch;
  const merges = await mergePairs(
    git,
    pairs.map(({ branchOfA, branchOfB }) => [branchOfA.merged.commit, branchOfB.merged.commit] as const),
  );
  const byGit = new Map(pairs.map((pair, index) => [pair, merges[index] ?? noAnswer]));
  const isMerged = ({ commit, merged }: LiveBranch) => commit !== merged.commit;
  const doubtful = pairs.filter(
    (pair) => byGit.get(pair)?.status !== 'clean' && (isMerged(pair.branchOfA) || isMerged(pair.branchOfB)),
  );
  const landings = doubtful.flatMap((pair) => {
    const { branchOfA, branchOfB } = pair;
    return [
      { pair, commits: [branchOfA.merged.commit, branchOfB.commit] as const },
      { pair, commits: [branchOfB.merged.commit, branchOfA.commit] as const },
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
