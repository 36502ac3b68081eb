import type { Base } from '#check/branches/branches.ts';
import type { Question } from '#check/cache/outcome-store.ts';
import type { CheckContext, FoundIn } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import { linkChanges, type Member, type ReadMember } from '#check/members/member.ts';
import { pathInUnion, suspectsOf } from '#check/members/union-problems.ts';
import { detectInCode, detectInText } from '#check/rules/detect.ts';
import type { TextPair } from '#check/rules/rule.ts';
import { type ConflictSite, conflictSites } from '#check/rules/text/conflict-sites.ts';
import { lostEdits, shareFiles } from '#check/rules/text/lost-edits.ts';
import { readText } from '#check/rules/text/read-text.ts';
import type { Union } from '#check/unions/unions.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { dependenceOf } from '#code/link/linked-file.ts';
import type { Merge } from '#git/merges/unions.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { askAgain } from './ask-again.ts';
import { foundInAll, type Reading, readingsOf } from './through-conflicts.ts';

/** The result of comparing two members: plain values, so that it can be cached between checks. */
export interface PairOutcome {
  /** How their text merges. */
  readonly text: Merge['status'];
  readonly conflicts: CheckReport['union']['conflicts'];
  readonly inconclusive: CheckReport['inconclusive'];
  readonly findings: readonly FoundIn[];
  /** Keys of the problems that are blamed on the pair, so that larger sets do not blame them again. */
  readonly blamed: readonly string[];
  /** Those of them that linking found, so that linking can look for them again. */
  readonly linked: readonly string[];
  /**
   * Files of one that depend on something the other changed, with their paths in their member and in the union: all others link in a union
   * as in their member.
   */
  readonly suspects: readonly string[];
}

/** The outcome for two members that cannot clash. */
export function nothingBetween(text: Merge['status']): PairOutcome {
  return { text, conflicts: [], inconclusive: [], findings: [], blamed: [], linked: [], suspects: [] };
}

/** Everything the comparison of two members depends on. `from`: the tree that their changes are counted from. */
export function pairQuestion(
  { base, pythonRoots }: Pick<CheckContext, 'base' | 'pythonRoots'>,
  from: string,
  a: Base,
  b: Base,
): Question {
  const member = ({ ref, commit, tree }: Base) => [ref, commit, tree];
  return ['pair', [base.ref, base.commit, base.tree], from, member(a), member(b), pythonRoots];
}

/** The tree of a merge, with its paths that contain conflict markers. */
export function unionOf(merge: Merge): Union[] {
  if (merge.status === 'failed') return [];
  return [{ tree: merge.tree, conflicted: new Set(merge.status === 'conflict' ? merge.paths : []) }];
}

/** Finds what two members break together, then releases their union. */
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
  if (shareFiles(a, b)) await Promise.all([a.load(), b.load()]);
  const sites = merge.status === 'conflict' ? await sitesOf(context, a, b, merge, union) : [];
  const readings = await readingsOf(context, a, b, union, where.conflicted);
  const asking = [a, b, union, ...readings.flatMap(({ unions }) => unions)];
  const outcome = await askAgain(asking, () =>
    compareIn(context, a, b, merge, where, union, sites, readings),
  );
  context.trees.release([where]);
  return outcome;
}

/** Files that the suspects depend on: read in one batch instead of one by one. */
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
  const text = await detectInText(textPair(context, a, b, merge, where, union, sites));
  const find = (tree: CodeTree) => detectInCode({ a, b, union: tree });
  const detected =
    readings.length > 0 ? await foundInAll(readings, where.conflicted, find) : await find(union);
  const linked = detected.flatMap(({ entry, isLinked }) => (isLinked ? [entry.problem.key] : []));
  const diagnosed = [...text, ...detected.map(({ entry }) => entry)];
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
    blamed: [...text.map(({ problem }) => problem.key), ...linked],
    linked,
    suspects: [...a.suspects, ...b.suspects].flatMap((path) => [path, pathInUnion(path, union, a, b)]),
  };
}

function textPair(
  { reader, workspace }: CheckContext,
  a: ReadMember,
  b: ReadMember,
  merge: Exclude<Merge, { status: 'failed' }>,
  { conflicted }: Union,
  union: CodeTree,
  sites: readonly ConflictSite[],
): TextPair {
  const conflict = merge.status === 'conflict' ? merge : null;
  const read = (path: string) => readText(workspace, union.git.blob(path));
  const pair = { a, b, union, conflict, conflicted, sites, reader, read };
  return { ...pair, lostEdits: lostEdits(pair) };
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
