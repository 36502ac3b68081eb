import type { Tip } from '#check/branches/tips.ts';
import type { SeamContext } from '#check/context.ts';
import { linkChanges, type Outline, outlineSide, type PackedOutline } from '#check/members/side.ts';
import { canClash } from '#check/members/union-problems.ts';
import { canClose } from '#check/rules/symbols/import-cycles.ts';
import { pathCollisions } from '#check/rules/text/union-text.ts';
import { addUp, noAnswer, pairsToCompare } from '#check/unions/unions.ts';
import { type Change, diffTrees } from '#git/tree.ts';
import { type Merge, mergePairs } from '#git/unions.ts';
import { comparePair, nothingBetween, type PairOutcome, pairQuestion, unionOf } from './pair-outcome.ts';
import { pairKey, relatedPairs } from './related.ts';

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

/** One outcome for each pair of tips that can meet; up to some number of tips for each pair. */
export async function comparePairs(
  context: SeamContext,
  tips: readonly Tip[],
  sides: readonly Outline[],
): Promise<(PairOutcome & { readonly a: number; readonly b: number })[]> {
  const { base, outcomes } = context;
  const related = relatedPairs(sides);
  const entangled = tips.flatMap((tip, a) => [...tip.entangled].map((b) => pairKey(a, b)));
  const pairs = pairsToCompare(tips.length, new Set([...related, ...entangled])).flatMap(({ a, b }) => {
    const [left, right] = [sides[a], sides[b]];
    const [tipOfA, tipOfB] = [tips[a], tips[b]];
    if (!left || !right || !tipOfA || !tipOfB) return [];
    const isRelated = related.has(pairKey(a, b));
    const isEntangled = tipOfA.entangled.has(b);
    return [{ a, b, left, right, tipOfA, tipOfB, isRelated, isEntangled }];
  });
  const close = pairs.filter(({ isRelated, isEntangled }) => isRelated || isEntangled);
  const questions = close.map(({ left, right, tipOfA, tipOfB }) =>
    pairQuestion(context, base.tree, { ...left, tree: tipOfA.tree }, { ...right, tree: tipOfB.tree }),
  );
  const known = outcomes.read(questions) as (PairOutcome | undefined)[];
  const found = new Map(known.flatMap((outcome, index) => (outcome ? [[close[index], outcome]] : [])));
  const open = close.flatMap((pair, index) =>
    known[index] ? [] : [{ pair, question: questions[index] ?? [] }],
  );
  const meeting = await mergeClose(context, open);
  await readMerged(context, meeting);
  for (const { pair, question, merge } of meeting) {
    const { left, right } = pair;
    if (merge) context.progress(`comparing ${left.ref} with ${right.ref}`);
    const outcome = merge ? await comparePair(context, left, right, merge) : nothingBetween('clean');
    found.set(pair, outcome);
    outcomes.remember(question, outcome);
  }
  return pairs.map((pair) => ({ ...(found.get(pair) ?? nothingBetween('clean')), a: pair.a, b: pair.b }));
}

/** Files that no member has as they are in a union: read for all pairs at once, as git answers many questions best. */
async function readMerged(
  { trees, reader }: SeamContext,
  meeting: readonly { readonly pair: ClosePair; readonly merge: Merge | null }[],
): Promise<void> {
  const merged = meeting.flatMap(({ pair, merge }) =>
    (merge ? unionOf(merge) : []).map((union) => ({ ...pair, union })),
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
async function mergeClose<Open extends { readonly pair: ClosePair }>(
  context: SeamContext,
  open: readonly Open[],
): Promise<(Open & { readonly merge: Merge | null })[]> {
  const entangled = open.filter(({ pair }) => pair.isEntangled);
  const merges = await mergePairs(
    context.workspace.scratch.git,
    entangled.map(({ pair }) => [pair.tipOfA.commit, pair.tipOfB.commit] as const),
  );
  const byGit = new Map(entangled.map((entry, index) => [entry, merges[index] ?? noAnswer]));
  const result: (Open & { readonly merge: Merge | null })[] = [];
  for (const entry of open) {
    const { left, right, tipOfA, tipOfB, isRelated } = entry.pair;
    if (isRelated) await Promise.all([linkChanges(left), linkChanges(right)]);
    const merge = byGit.get(entry);
    const meets =
      (merge !== undefined && merge.status !== 'clean') ||
      (isRelated &&
        (canClash(left, right) || canClose(left, right) || pathCollisions(left, right).length > 0));
    result.push({ ...entry, merge: meets ? (merge ?? (await addUp(context, tipOfA, tipOfB))) : null });
  }
  return result;
}
