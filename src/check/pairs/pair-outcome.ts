import type { Base } from '#check/branches/branches.ts';
import type { Question } from '#check/cache/outcome-store.ts';
import type { CheckContext, FoundIn } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import { linkChanges, type Member, type ReadMember } from '#check/members/member.ts';
import { pathInUnion, problemsBetween, suspectsOf } from '#check/members/union-problems.ts';
import { diagnose } from '#check/rules/diagnose.ts';
import { brokenContracts } from '#check/rules/symbols/contracts.ts';
import { importCycles } from '#check/rules/symbols/import-cycles.ts';
import { lostMembers } from '#check/rules/symbols/lost-members.ts';
import { lostOverrides } from '#check/rules/symbols/lost-overrides.ts';
import { renumberedLiterals } from '#check/rules/symbols/renumbered.ts';
import { uncoveredCases } from '#check/rules/symbols/uncovered-cases.ts';
import { type ConflictSite, conflictSites } from '#check/rules/text/conflict-sites.ts';
import { diagnoseCollision, diagnoseConflict } from '#check/rules/text/diagnose.ts';
import { keepBothHints } from '#check/rules/text/keep-both.ts';
import { lostEdits } from '#check/rules/text/lost-edits.ts';
import { readText } from '#check/rules/text/read-text.ts';
import { brokenMerges, pathCollisions } from '#check/rules/text/union-text.ts';
import type { Union } from '#check/unions/unions.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { dependenceOf } from '#code/link/linked-file.ts';
import type { Merge } from '#git/unions.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { askAgain } from './ask-again.ts';
import { type Detected, foundInAll, type Reading, readingsOf } from './through-conflicts.ts';

/** What comparing two members came to: plain values, so that it can be kept between checks. */
export interface PairOutcome {
  /** How their text merges. */
  readonly text: Merge['status'];
  readonly conflicts: CheckReport['union']['conflicts'];
  readonly inconclusive: CheckReport['inconclusive'];
  readonly findings: readonly FoundIn[];
  /** Keys of the problems that are blamed on the pair, so that larger sets do not blame them again. */
  readonly blamed: readonly string[];
  /** Those of them that linking found, and can look for again. */
  readonly linked: readonly string[];
  /**
   * Files of one that depend on something the other changed, by their paths in their member and in the union: all others
   * link in a union as they do in their member.
   */
  readonly suspects: readonly string[];
}

/** Two members whose text merges and that have nothing to do with each other. */
export function nothingBetween(text: Merge['status']): PairOutcome {
  return { text, conflicts: [], inconclusive: [], findings: [], blamed: [], linked: [], suspects: [] };
}

/** All that the comparison of two members depends on. `from`: the tree that their changes are counted from. */
export function pairQuestion(
  { base, pythonRoots }: Pick<CheckContext, 'base' | 'pythonRoots'>,
  from: string,
  a: Base,
  b: Base,
): Question {
  const member = ({ ref, commit, tree }: Base) => [ref, commit, tree];
  return ['pair', [base.ref, base.commit, base.tree], from, member(a), member(b), pythonRoots];
}

/** The tree of a merge, with the paths in it that hold conflict markers. */
export function unionOf(merge: Merge): Union[] {
  if (merge.status === 'failed') return [];
  return [{ tree: merge.tree, conflicted: new Set(merge.status === 'conflict' ? merge.paths : []) }];
}

/** What two members break together. Their union is released afterwards. */
export async function comparePair(
  context: CheckContext,
  memberA: Member,
  memberB: Member,
  merge: Merge,
): Promise<PairOutcome> {
  await Promise.all([linkChanges(memberA), linkChanges(memberB)]);
  const a = await memberA.read([...suspectsOf(memberA, memberB)]);
  const b = await memberB.read([...suspectsOf(memberB, memberA)]);
  const [where] = unionOf(merge);
  if (merge.status === 'failed' || !where) {
    const reason = merge.status === 'failed' ? merge.reason : '';
    return {
      ...nothingBetween(merge.status),
      inconclusive: [{ check: `merge of ${a.ref} and ${b.ref}`, reason }],
    };
  }
  const [union] = await context.trees.getAll([where]);
  if (!union) throw new Error(`no tree ${where.tree}`);
  const trees = [a.tree, b.tree, union];
  const asked = [...askedBySuspects(memberA, a), ...askedBySuspects(memberB, b)];
  await Promise.all(trees.map((tree) => tree.loadFacts(asked)));
  const sites = merge.status === 'conflict' ? await sitesOf(context, a, b, merge, union) : [];
  const readings = await readingsOf(context, a, b, union, where.conflicted);
  const asking = [a, b, union, ...readings.flatMap(({ unions }) => unions)];
  const outcome = await askAgain(asking, () =>
    compareIn(context, a, b, merge, where, union, sites, readings),
  );
  context.trees.release([where]);
  return outcome;
}

/** Files that suspects asked for when they were linked: read at once, and not one after the other as they are met. */
function askedBySuspects({ tree }: Member, { suspects }: ReadMember): string[] {
  const links = suspects.flatMap((path) => tree.linked(path) ?? []);
  return [...suspects, ...links.flatMap((link) => [...dependenceOf(link).paths()])];
}

async function compareIn(
  context: CheckContext,
  a: ReadMember,
  b: ReadMember,
  merge: Exclude<Merge, { status: 'failed' }>,
  where: Union,
  union: CodeTree,
  sites: readonly ConflictSite[],
  readings: readonly Reading[],
): Promise<PairOutcome> {
  const broken = await brokenMerges(a, b, union, where.conflicted, context.reader);
  const find = (tree: CodeTree) => detect(a, b, tree);
  const detected =
    readings.length > 0 ? await foundInAll(readings, where.conflicted, find) : await find(union);
  const linked = detected.flatMap(({ entry, isLinked }) => (isLinked ? [entry.problem.key] : []));
  const conflict = merge.status === 'conflict' ? diagnoseConflict(a, b, merge, sites) : null;
  const hints =
    merge.status === 'conflict'
      ? await keepBothHints(
          a,
          b,
          merge,
          (path) => readText(context.workspace, union.git.blob(path)),
          sites,
          conflict?.diagnosis.owner,
        )
      : [];
  const diagnosed = [
    ...(conflict ? [conflict] : []),
    ...hints,
    ...lostEdits(a, b, union, where.conflicted, conflict?.diagnosis.owner),
    ...pathCollisions(a, b).map((collision) => diagnoseCollision(a, b, collision)),
    ...broken.map((problem) => diagnose({ problem, consumer: a, provider: b })),
    ...detected.map(({ entry }) => entry),
  ];
  const assembled = await assembleFindings(diagnosed, {
    tree: merge.status === 'clean' ? merge.tree : null,
    base: context.base.ref,
    radius: context.radius,
  });
  return {
    text: merge.status,
    conflicts: merge.status === 'conflict' ? [{ paths: [...merge.paths], branches: [a.ref, b.ref] }] : [],
    inconclusive: [],
    findings: await showFindings(assembled, union.git, context.workspace.objects),
    blamed: [...broken.map(({ key }) => key), ...linked],
    linked,
    suspects: [...a.suspects, ...b.suspects].flatMap((path) => [path, pathInUnion(path, union, a, b)]),
  };
}

/** Everything but text, in a union that can be read as a whole. */
async function detect(a: ReadMember, b: ReadMember, union: CodeTree): Promise<Detected[]> {
  const linked = (await problemsBetween(a, b, union)).map(diagnose);
  const others = [
    ...brokenContracts(a, b, union),
    ...lostOverrides(a, b, union),
    ...lostMembers(a, b, union),
    ...(await importCycles(a, b, union)),
    ...uncoveredCases(a, b, union),
    ...renumberedLiterals(a, b, union),
  ];
  return [
    ...linked.map((entry) => ({ entry, isLinked: true })),
    ...others.map((entry) => ({ entry, isLinked: false })),
  ];
}

function sitesOf(
  { workspace }: CheckContext,
  a: Member,
  b: Member,
  merge: Extract<Merge, { status: 'conflict' }>,
  union: CodeTree,
): Promise<ConflictSite[]> {
  const blobIn = (path: string) => union.git.blob(path);
  return conflictSites(a, b, merge, blobIn, (blob) => readText(workspace, blob));
}
