import { isLive, type LiveBranch } from '#check/branches/branches.ts';
import type { CheckContext, FoundIn } from '#check/context.ts';
import { ownConflicts } from '#check/findings/conflict-owners.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { foldStacks, type IsBuiltOn } from '#check/findings/fold-stacks.ts';
import { showFindings } from '#check/findings/frames.ts';
import type { Member } from '#check/members/member.ts';
import { comparePairs, compareWithBase, describeMembers } from '#check/pairs/compare-branches.ts';
import { higherOrderProblems } from '#check/pairs/higher-order.ts';
import { diagnoseLateConflict, diagnoseUnresolved } from '#check/rules/detect.ts';
import { conflictSites } from '#check/rules/text/conflict-sites.ts';
import { readText } from '#check/rules/text/read-text.ts';
import { unresolvedImports } from '#check/rules/unresolved/unresolved-imports.ts';
import type { Meeting } from '#check/typecheck/diagnostics/meeting.ts';
import { noteFixes } from '#check/unions/fixed-by-others.ts';
import { type FullUnion, mergeMany, type PairMerge } from '#check/unions/unions.ts';
import type { Merge } from '#git/merges/unions.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { surveyBranches } from './survey-branches.ts';

export interface Comparison {
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
  readonly blamed: ReadonlySet<string>;
  readonly linked: ReadonlySet<string>;
  readonly suspects: ReadonlySet<string>;
}

/** Compares each branch with the changes of base since it forked, each pair of branches, and all of them together. */
export async function compareAll(context: CheckContext): Promise<Comparison> {
  context.stage('comparing with base');
  const withBase = await compareWithBase(context);
  const live = context.branches.filter(isLive);
  for (const { merged } of live) context.trees.expect(merged.tree, merged.changes);
  context.stage('reading changes');
  const sides = await describeMembers(context, live);
  context.stage('comparing pairs');
  const pairs = await comparePairs(context, live, sides);
  const compared = [...withBase, ...pairs];
  const collected: Collected = {
    findings: compared.flatMap(({ findings }) => findings),
    conflicts: compared.flatMap(({ conflicts }) => conflicts),
    inconclusive: compared.flatMap(({ inconclusive }) => inconclusive),
    blamed: new Set(compared.flatMap(({ blamed }) => blamed)),
    linked: new Set(compared.flatMap(({ linked }) => linked)),
    suspects: new Set(pairs.flatMap(({ suspects }) => suspects)),
  };
  const full = await fullUnion(context, live, sides, pairs, collected);
  collected.findings.push(...(await unresolvedImports(context, sides, full, collected, diagnoseUnresolved)));
  context.stage('comparing names');
  const surveyed = await surveyBranches(context, sides, full, collected.findings);
  const members = new Set(full.members);
  const excluded = [
    ...context.branches.filter(({ state }) => state === 'conflicted').map(({ ref }) => ref),
    ...live.filter((_, index) => !members.has(index)).map(({ ref }) => ref),
  ];
  const owned = ownConflicts(surveyed, new Set(excluded));
  const folded = foldStacks(owned, isBuiltOn(context));
  const findings = await noteFixes(context, folded, live, full, collected.linked);
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
    meeting: { live, sides, pairs, full },
  };
}

export function isBuiltOn({ branches, history }: Pick<CheckContext, 'branches' | 'history'>): IsBuiltOn {
  const commits = new Map(branches.map(({ ref, commit }) => [ref, commit]));
  return (ref, other) => {
    const [upper, lower] = [commits.get(ref), commits.get(other)];
    return upper !== undefined && lower !== undefined && upper !== lower && history.contains(upper, lower);
  };
}

/** Merges all branches whose text merges: finds what no pair shows. */
async function fullUnion(
  context: CheckContext,
  live: readonly LiveBranch[],
  sides: readonly Member[],
  pairs: readonly PairMerge[],
  collected: Collected,
): Promise<FullUnion> {
  context.stage('building the union');
  const members = textuallyCompatible(live.length, pairs, sides);
  const full = await mergeMany(context, live, members);
  for (const { index, merge } of full.late) {
    const ref = live[index]?.ref ?? '';
    const [side, others] = [sides[index], full.members.flatMap((member) => sides[member] ?? [])];
    if (merge.status === 'conflict' && side && others[0]) {
      collected.conflicts.push({
        paths: [...merge.paths],
        branches: [ref, ...others.map((other) => other.ref)].sort(),
      });
      collected.findings.push(...(await lateConflict(context, side, others, merge)));
    } else
      collected.inconclusive.push({
        check: `merge of ${ref} into the union`,
        reason: merge.status === 'failed' ? merge.reason : '',
      });
  }
  if (full.tree !== null && full.members.length > 2)
    collected.findings.push(...(await higherOrderProblems(context, live, sides, full, collected)));
  return full;
}

async function lateConflict(
  context: CheckContext,
  late: Member,
  others: readonly Member[],
  merge: Extract<Merge, { status: 'conflict' }>,
): Promise<FoundIn[]> {
  const { workspace, base, radius } = context;
  const isTouching = ({ changes }: Member) =>
    changes.some(({ path, oldPath }) => merge.paths.includes(path) || merge.paths.includes(oldPath ?? path));
  const other = others.find(isTouching) ?? others[0];
  if (!other) return [];
  const union = await context.trees.get(merge.tree);
  const blobIn = (path: string) => union.git.blob(path);
  const sites = await conflictSites(other, late, merge, blobIn, (blob) => readText(workspace, blob));
  const shown = { tree: null, base: base.ref, radius };
  const assembled = await assembleFindings(diagnoseLateConflict(late, other, merge, sites), shown, others);
  return showFindings(assembled, null, workspace.objects);
}

/** Repeatedly drops the branch with the most textual conflicts; on a tie, the one that changes fewer files. */
function textuallyCompatible(count: number, pairs: readonly PairMerge[], sides: readonly Member[]): number[] {
  const rivals = Array.from({ length: count }, () => new Set<number>());
  for (const { a, b, text } of pairs) {
    if (text === 'clean') continue;
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
  { branches }: CheckContext,
  sides: readonly Member[],
  pairs: readonly PairMerge[],
): CheckReport['stats'] {
  const sum = (count: (links: Member['links']) => number) =>
    sides.reduce((total, { links }) => total + count(links), 0);
  const references = sum((links) => links.references);
  const resolved = sum((links) => links.resolved);
  return {
    branches: branches.length,
    pairs: pairs.length,
    changedFiles: branches.reduce((sum, { changes }) => sum + changes.length, 0),
    linkedFiles: sum(({ files }) => files),
    references,
    resolved,
    resolutionRate: references === 0 ? 1 : Math.round((resolved / references) * 10_000) / 10_000,
  };
}
