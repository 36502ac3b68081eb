import type { CodeTree } from '../code/code-tree.ts';
import { diffTrees } from '../git/tree.ts';
import type { Merge } from '../git/unions.ts';
import type { CheckReport } from '../model/check-report.ts';
import type { BranchWork } from './branches.ts';
import type { Meeting } from './confirm/meeting.ts';
import { brokenContracts } from './detectors/symbols/contracts.ts';
import { canClose, importCycles } from './detectors/symbols/import-cycles.ts';
import { lostOverrides } from './detectors/symbols/lost-overrides.ts';
import { renumberedLiterals } from './detectors/symbols/renumbered.ts';
import { uncoveredCases } from './detectors/symbols/uncovered-cases.ts';
import { unresolvedImports } from './detectors/symbols/unresolved-imports.ts';
import { diagnoseCollision, diagnoseConflict, diagnoseLateConflict } from './detectors/text/diagnose.ts';
import { keepBothHints } from './detectors/text/keep-both.ts';
import { lostEdits } from './detectors/text/lost-edits.ts';
import { brokenMerges, pathCollisions } from './detectors/text/union-text.ts';
import { diagnose } from './diagnose.ts';
import { assembleFindings } from './findings.ts';
import { higherOrderProblems } from './higher-order.ts';
import { tellMended } from './mended.ts';
import { pairKey, relatedPairs } from './related.ts';
import type { FoundIn, SeamContext } from './seam-context.ts';
import { buildSide, type Side } from './side.ts';
import { canClash, problemsBetween } from './union-problems.ts';
import { type FullUnion, mergeMany, mergePairsOf, type PairMerge, type Tip, type Union } from './unions.ts';

export interface SeamReport {
  readonly findings: readonly FoundIn[];
  readonly union: CheckReport['union'];
  readonly inconclusive: CheckReport['inconclusive'];
  readonly stats: CheckReport['stats'];
  readonly meeting: Meeting;
}

interface Collected {
  readonly findings: FoundIn[];
  readonly conflicts: CheckReport['union']['conflicts'];
  readonly inconclusive: CheckReport['inconclusive'];
  /** Problems already blamed on a pair, so that larger sets do not blame them again. */
  readonly blamed: Set<string>;
  /** Those of them that linking found, and can look for again. */
  readonly linked: Set<string>;
}

/** Compares each branch with what base did meanwhile, each pair of branches, and all together. */
export async function readSeams(context: SeamContext): Promise<SeamReport> {
  const collected: Collected = {
    findings: [],
    conflicts: [],
    inconclusive: [],
    blamed: new Set(),
    linked: new Set(),
  };
  await compareWithBase(context, collected);
  const live = context.branches.filter(({ state }) => state === 'checked');
  const tips = live.map(({ ref, merged }) => ({
    ref,
    commit: merged?.commit ?? '',
    tree: merged?.tree ?? '',
  }));
  const sides = await mergedSides(context, live, tips);
  const pairs = await comparePairs(context, tips, sides, collected);
  const full = await fullUnion(context, tips, sides, pairs, collected);
  collected.findings.push(...(await unresolvedImports(context, sides, full, collected.blamed)));
  const excluded = [
    ...context.branches.filter(({ state }) => state === 'conflicted').map(({ ref }) => ref),
    ...tips.filter((_, index) => !full.members.includes(index)).map(({ ref }) => ref),
  ];
  const findings = await tellMended(context, collected.findings, tips, full, collected.linked);
  return {
    findings,
    union: {
      tree:
        full.tree ??
        (excluded.length === context.branches.length && excluded.length > 0 ? null : context.base.tree),
      excluded,
      conflicts: collected.conflicts,
    },
    inconclusive: collected.inconclusive,
    stats: countStats(context, sides, pairs),
    meeting: { tips, sides, pairs, full },
  };
}

/** Base has moved since a branch forked: its own changes are a member like any other. */
async function compareWithBase(context: SeamContext, collected: Collected): Promise<void> {
  const { base, branches, trees, reader, workspace } = context;
  const moved = branches.filter(
    ({ state, baseMerge }) => (state === 'checked' || state === 'conflicted') && baseMerge !== null,
  );
  const baseChanges = await diffTrees(
    workspace.scratch.git,
    moved.map(({ mergeBaseTree }) => [mergeBaseTree, base.tree] as const),
    { renames: true },
  );
  const own = moved.map(({ tree }) => ({ tree, conflicted: new Set<string>() }));
  await trees.getAll([...own, ...moved.flatMap(({ baseMerge }) => (baseMerge && unionOf(baseMerge)) ?? [])]);
  // Branches that forked at one commit share what base did since.
  const baseSides = new Map<string, Side>();
  for (const [index, branch] of moved.entries()) {
    context.progress(`comparing ${branch.ref} with ${base.ref}`);
    const baseSide =
      baseSides.get(branch.mergeBaseTree) ??
      (await buildSide(
        { ref: base.ref, commit: base.commit, isBase: true },
        await trees.get(base.tree),
        baseChanges[index] ?? [],
        reader,
      ));
    baseSides.set(branch.mergeBaseTree, baseSide);
    const branchSide = await buildSide(
      { ref: branch.ref, commit: branch.commit, isBase: false },
      await trees.get(branch.tree),
      branch.changes,
      reader,
    );
    if (branch.baseMerge) await compare(context, baseSide, branchSide, branch.baseMerge, collected);
  }
}

async function mergedSides(
  context: SeamContext,
  live: readonly BranchWork[],
  tips: readonly Tip[],
): Promise<Side[]> {
  const { workspace, base, trees, reader } = context;
  const changes = await diffTrees(
    workspace.scratch.git,
    tips.map(({ tree }) => [base.tree, tree] as const),
    { renames: true },
  );
  const codeTrees = await trees.getAll(tips.map(({ tree }) => ({ tree, conflicted: new Set<string>() })));
  const sides: Side[] = [];
  for (const [index, branch] of live.entries()) {
    context.progress(`reading ${branch.ref}`);
    const tree = codeTrees[index];
    if (!tree) continue;
    sides.push(
      await buildSide(
        { ref: branch.ref, commit: branch.commit, isBase: false },
        tree,
        changes[index] ?? [],
        reader,
      ),
    );
  }
  return sides;
}

async function comparePairs(
  context: SeamContext,
  tips: readonly Tip[],
  sides: readonly Side[],
  collected: Collected,
): Promise<PairMerge[]> {
  const related = relatedPairs(sides);
  const isRelated = (a: number, b: number) => related.has(pairKey(a, b));
  const pairs = await mergePairsOf(context.workspace, tips, isRelated);
  const meeting = pairs.flatMap(({ a, b, merge }) => {
    const [left, right] = [sides[a], sides[b]];
    if (!left || !right || (merge.status === 'clean' && !isRelated(a, b))) return [];
    const meets = canClash(left, right) || canClose(left, right) || pathCollisions(left, right).length > 0;
    return merge.status !== 'clean' || meets ? [{ left, right, merge }] : [];
  });
  await context.trees.getAll(meeting.flatMap(({ merge }) => unionOf(merge) ?? []));
  for (const { left, right, merge } of meeting) {
    context.progress(`comparing ${left.ref} with ${right.ref}`);
    await compare(context, left, right, merge, collected);
  }
  return pairs;
}

/** The tree of a merge, with the paths in it that hold conflict markers. */
function unionOf(merge: Merge): Union | null {
  if (merge.status === 'failed') return null;
  return { tree: merge.tree, conflicted: new Set(merge.status === 'conflict' ? merge.paths : []) };
}

async function compare(
  context: SeamContext,
  a: Side,
  b: Side,
  merge: Merge,
  collected: Collected,
): Promise<void> {
  if (merge.status === 'failed') {
    collected.inconclusive.push({ check: `merge of ${a.ref} and ${b.ref}`, reason: merge.reason });
    return;
  }
  if (merge.status === 'conflict')
    collected.conflicts.push({ paths: [...merge.paths], branches: [a.ref, b.ref] });
  const where = unionOf(merge);
  const [union] = await context.trees.getAll(where ? [where] : []);
  if (!union || !where) return;
  const broken = await brokenMerges(a, b, union, where.conflicted, context.reader);
  const between = await problemsBetween(a, b, union);
  for (const { problem } of between) collected.linked.add(problem.key);
  const seams = [...broken.map((problem) => ({ problem, consumer: a, provider: b })), ...between];
  for (const { problem } of seams) collected.blamed.add(problem.key);
  const conflict = merge.status === 'conflict' ? diagnoseConflict(a, b, merge) : null;
  const hints =
    merge.status === 'conflict'
      ? await keepBothHints(a, b, merge, (path) => readText(context, union, path), conflict?.diagnosis.owner)
      : [];
  const diagnosed = [
    ...(conflict ? [conflict] : []),
    ...hints,
    ...lostEdits(a, b, union, where.conflicted, conflict?.diagnosis.owner),
    ...pathCollisions(a, b).map((collision) => diagnoseCollision(a, b, collision)),
    ...seams.map(diagnose),
    ...brokenContracts(a, b, union),
    ...lostOverrides(a, b, union),
    ...(await importCycles(a, b, union)),
    ...uncoveredCases(a, b, union),
    ...renumberedLiterals(a, b, union),
  ];
  const tree = merge.status === 'clean' ? merge.tree : null;
  const assembled = await assembleFindings(diagnosed, {
    tree,
    base: context.base.ref,
    radius: context.radius,
  });
  collected.findings.push(...assembled.map((entry) => ({ assembled: entry, union: union.git })));
}

async function readText({ workspace }: SeamContext, tree: CodeTree, path: string): Promise<string | null> {
  const blob = tree.git.blob(path);
  return blob === undefined ? null : ((await workspace.objects.content(blob))?.toString('utf8') ?? null);
}

/** Everything that merges as text, together: the safety net for what no pair shows. */
async function fullUnion(
  context: SeamContext,
  tips: readonly Tip[],
  sides: readonly Side[],
  pairs: readonly PairMerge[],
  collected: Collected,
): Promise<FullUnion> {
  const only = pairs.length === 1 ? pairs[0] : undefined;
  if (only?.merge.status === 'clean') return { tree: only.merge.tree, members: [0, 1], late: [] };
  context.progress('building the union');
  const members = textuallyCompatible(tips.length, pairs, sides);
  const full = await mergeMany(context.workspace, context.base, tips, members);
  for (const { index, merge } of full.late) {
    const ref = tips[index]?.ref ?? '';
    const [side, others] = [sides[index], full.members.flatMap((member) => sides[member] ?? [])];
    if (merge.status === 'conflict' && side && others[0]) {
      collected.conflicts.push({
        paths: [...merge.paths],
        branches: [ref, ...others.map((other) => other.ref)].sort(),
      });
      const shown = { tree: null, base: context.base.ref, radius: context.radius };
      const [assembled] = await assembleFindings(
        [diagnoseLateConflict(side, others[0], merge)],
        shown,
        others,
      );
      if (assembled) collected.findings.push({ assembled, union: null });
    } else
      collected.inconclusive.push({
        check: `merge of ${ref} into the union`,
        reason: merge.status === 'failed' ? merge.reason : '',
      });
  }
  if (full.tree !== null && full.members.length > 2)
    collected.findings.push(...(await higherOrderProblems(context, tips, sides, full, collected.blamed)));
  return full;
}

/** Leaves out, one by one, the branch with most textual conflicts; of equals the one that changes fewer files. */
function textuallyCompatible(count: number, pairs: readonly PairMerge[], sides: readonly Side[]): number[] {
  const rivals = Array.from({ length: count }, () => new Set<number>());
  for (const { a, b, merge } of pairs) {
    if (merge.status === 'clean') continue;
    rivals[a]?.add(b);
    rivals[b]?.add(a);
  }
  const members = new Set(rivals.keys());
  const degree = (index: number) => rivals[index]?.size ?? 0;
  const size = (index: number) => sides[index]?.changes.length ?? 0;
  const isWorse = (x: number, y: number) =>
    degree(x) !== degree(y) ? degree(x) > degree(y) : size(x) !== size(y) ? size(x) < size(y) : x > y;
  for (;;) {
    const worst = [...members].reduce(
      (best, index) => (isWorse(index, best) ? index : best),
      [...members][0] ?? -1,
    );
    if (degree(worst) === 0) return [...members];
    members.delete(worst);
    for (const rival of rivals[worst] ?? []) rivals[rival]?.delete(worst);
  }
}

function countStats(
  { branches }: SeamContext,
  sides: readonly Side[],
  pairs: readonly PairMerge[],
): CheckReport['stats'] {
  const linked = sides.flatMap((side) =>
    [...side.changed.keys()].flatMap((path) => side.tree.linked(path) ?? []),
  );
  const references = linked.reduce((sum, file) => sum + file.references, 0);
  const resolved = linked.reduce((sum, file) => sum + file.resolved, 0);
  return {
    branches: branches.length,
    pairs: pairs.length,
    changedFiles: branches.reduce((sum, { changes }) => sum + changes.length, 0),
    linkedFiles: linked.length,
    references,
    resolved,
    resolutionRate: references === 0 ? 1 : Math.round((resolved / references) * 10_000) / 10_000,
  };
}
