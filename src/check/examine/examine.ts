import { join } from 'node:path';
import type { BranchTip, Workspace } from '#check/branches/branch-tips.ts';
import { type Branch, readBranches, withTree } from '#check/branches/branches.ts';
import { ignoredMergeDrivers } from '#check/branches/merge-drivers.ts';
import type { StableNames } from '#check/branches/stable-names.ts';
import { Looked, type Seen } from '#check/cache/looked.ts';
import type { OutcomeStore } from '#check/cache/outcome-store.ts';
import type { CheckOutcome, CheckRequest, Stage } from '#check/check.ts';
import type { CheckContext, FoundIn } from '#check/context.ts';
import { blastRadius } from '#check/findings/blast-radius.ts';
import { coverageOf } from '#check/findings/coverage.ts';
import { sortFindings } from '#check/findings/findings.ts';
import { asMerged, mergePlan } from '#check/findings/merge-plan.ts';
import { applyPolicy, noPolicy } from '#check/findings/policy.ts';
import { withStableId } from '#check/findings/stable-ids.ts';
import { LinkMemory } from '#check/link-memory/link-memory.ts';
import { SharedGrounds } from '#check/pairs/shared-grounds.ts';
import type { Confirmed } from '#check/typecheck/confirm.ts';
import { CodeTrees, mergeMany } from '#check/unions/unions.ts';
import type { TestVerdict } from '#check/witness/judge-by-tests.ts';
import { FactsReader } from '#code/extraction/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { ResolutionDocuments } from '#code/link/documents.ts';
import { GitTree, listTree } from '#git/trees/tree.ts';
import { WordSearch } from '#git/trees/word-search.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { Frames } from '#schema/frame.ts';
import { verdictOf } from '#schema/verdict.ts';
import { type Comparison, compareAll, isBuiltOn } from './compare-all.ts';
import { unreadable } from './unreadable.ts';
import type { Weighed } from './weigh-seams.ts';

interface Branches {
  readonly base: BranchTip;
  readonly tips: readonly BranchTip[];
  readonly older: number;
  readonly stable: StableNames;
}

type Examination = CheckRequest & {
  readonly maxFactsBytes: number;
  readonly keepAnswers: () => void;
  readonly stage: (name: Stage) => void;
};

/** An outcome, and whether and as long as what it counts. */
export interface Examined extends CheckOutcome {
  /** The same question gets the same report. */
  readonly isFinal: boolean;
  /** As long as all of this is as it was. */
  readonly looked: readonly Seen[];
}

/** Checks whether branches fit together. */
export async function examineBranches(
  workspace: Workspace,
  named: Branches,
  outcomes: OutcomeStore,
  request: Examination,
): Promise<Examined> {
  const store = new FactsStore(join(request.cacheDir, 'facts.db'), request.maxFactsBytes);
  try {
    return await examine(workspace, named, outcomes, store, request);
  } finally {
    store.close();
  }
}

async function examine(
  workspace: Workspace,
  named: Branches,
  outcomes: OutcomeStore,
  store: FactsStore,
  request: Examination,
): Promise<Examined> {
  const progress = request.progress ?? (() => {});
  const base = await withTree(workspace, named.base);
  const baseTree = await readBase(workspace, base.tree, outcomes);
  const { branches, history, unrelated } = await readBranches(workspace, base, baseTree, named.tips);
  const reader = new FactsReader(workspace.objects, store);
  const documents = new ResolutionDocuments(workspace.objects);
  const pythonRoots = request.pythonRoots ?? [];
  const trees = new CodeTrees(workspace, baseTree, reader, documents, pythonRoots);
  const links = new LinkMemory(outcomes, trees, baseTree, reader, pythonRoots);
  const aboutWords = ['words', workspace.repository.key];
  const keptIndex = {
    read: () => (outcomes.has(aboutWords) ? outcomes.readText(aboutWords) : undefined),
    remember: (index: string) => outcomes.rememberText(aboutWords, index),
  };
  const ofBranches = branches.flatMap(({ changes }) =>
    changes.flatMap(({ after }) => (after?.kind === 'file' ? [after.id] : [])),
  );
  const words = new WordSearch(workspace.scratch.git, workspace.objects, baseTree, keptIndex, ofBranches);
  const context = {
    workspace,
    base,
    branches,
    history,
    grounds: new SharedGrounds({ workspace, base, history }),
    reader,
    trees,
    links,
    outcomes,
    looked: new Looked(),
    keepAnswers: request.keepAnswers,
    pythonRoots,
    words,
    radius: blastRadius(words, baseTree, links),
    progress,
    stage: request.stage,
  };
  const comparison = await compareAll(context);
  const checked = await confirm(context, comparison, baseTree, request);
  const tested = await witness(context, comparison, checked.findings, request);
  const weighed = request.wantsRisk ? await weigh(context, comparison, request) : null;
  const confirmed = joinConfirmed(checked, {
    ...tested,
    findings: [...tested.findings, ...(weighed?.findings ?? [])],
  });
  request.stage('writing the report');
  const { kept, ignored, notes } = applyPolicy(
    confirmed.findings.map((found) => ({
      ...found,
      finding: withStableId(found.assembled.finding, named.stable),
    })),
    request.policy ?? noPolicy,
    request.today,
  );
  const { findings, frames } = framed(kept);
  const unread = await unreadable(branches, { reader, outcomes, workspace });
  links.save();
  const degraded = [
    ...(named.older === 0 ? [] : [tooOld(named)]),
    ...(unrelated.length === 0 ? [] : [leftOut(unrelated, base.ref)]),
    ...unread.degraded,
    ...notes,
    ...confirmed.degraded,
    ...(await ignoredMergeDrivers(baseTree, workspace.objects, changedPaths(branches))),
    ...(store.problem === null ? [] : [{ check: 'cache', reason: `facts are not kept: ${store.problem}` }]),
  ];
  const inconclusive = [...unread.inconclusive, ...comparison.inconclusive, ...confirmed.inconclusive];
  const compared = branches.filter(({ state }) => state === 'checked' || state === 'conflicted');
  const report: CheckReport = {
    schema: 'joinery/check@1',
    status: verdictOf(findings, inconclusive.length),
    base: { ref: base.ref, commit: base.commit },
    branches: branches.map(({ ref, commit, mergeBase, changes, state }) => ({
      ref,
      commit,
      mergeBase,
      files: changes.length,
      state,
    })),
    union: comparison.union,
    ...(await planMerges(context, comparison, compared, findings, unread.branches)),
    findings,
    ...(ignored.length > 0 ? { ignored } : {}),
    ...(weighed ? { risk: weighed.risk } : {}),
    inconclusive,
    degraded,
    coverage: coverageOf(compared, comparison.meeting.sides, unread.asText, confirmed.checkers),
    ...(confirmed.checkers.length > 0 ? { checkers: [...confirmed.checkers] } : {}),
    stats: comparison.stats,
  };
  return {
    isKnown: false,
    isFinal: isFinal(comparison, confirmed, degraded),
    looked: context.looked.seen,
    report,
    frames,
    reads: reader.counts,
    checkerRuns: confirmed.runs,
    checkerSeconds: confirmed.cpuSeconds,
    testRuns: tested.runs,
  };
}

/**
 * Whether the same question gets the same report. Content that cannot be parsed stays so; a merge or a checker that failed, or facts
 * that could not be kept, may work next time.
 */
function isFinal(
  { inconclusive }: Comparison,
  { isFinal: isAnswered }: Confirmed,
  degraded: CheckReport['degraded'],
): boolean {
  return isAnswered && inconclusive.length === 0 && !degraded.some(({ check }) => check === 'cache');
}

/** The branches that can land, in an order in which git merges them. */
async function planMerges(
  context: CheckContext,
  { union, meeting }: Comparison,
  compared: readonly Branch[],
  findings: readonly Finding[],
  unread: ReadonlySet<string>,
): Promise<Pick<CheckReport, 'landable' | 'blocked'>> {
  const plan = mergePlan(
    compared.map(({ ref }) => ref),
    findings,
    new Set([...unread, ...union.excluded]),
    isBuiltOn(context),
  );
  const { live, full } = meeting;
  const landable = new Set(plan.landable);
  const wanted = full.order.filter((index) => landable.has(live[index]?.ref ?? ''));
  const { order } = wanted.length === full.order.length ? full : await mergeMany(context, live, wanted);
  return asMerged(
    plan,
    order.flatMap((index) => live[index]?.ref ?? []),
  );
}

/** A longer listing costs more to cache than git needs to produce it. */
const mostListed = 1024 * 1024;

/** The tree of base rarely changes between checks: its listing is cached. */
async function readBase({ scratch }: Workspace, tree: string, outcomes: OutcomeStore): Promise<GitTree> {
  const question = ['listing', tree];
  const [known] = outcomes.read([question]) as [string | undefined];
  const listing = known ?? (await listTree(scratch.git, tree));
  if (known === undefined && typeof listing === 'string' && listing.length <= mostListed)
    outcomes.remember(question, listing);
  return GitTree.of(tree, listing);
}

/** Loads the graph library only when it is needed. */
async function weigh(context: CheckContext, comparison: Comparison, request: Examination): Promise<Weighed> {
  request.stage('weighing the seams');
  const { weighSeams } = await import('./weigh-seams.ts');
  return weighSeams(context, comparison);
}

/** Loads the type checkers only when they are needed. */
async function confirm(
  context: CheckContext,
  { meeting, findings }: Comparison,
  baseTree: GitTree,
  request: Examination,
): Promise<Confirmed> {
  if (!request.confirm || request.confirm.by === 'none')
    return { findings, checkers: [], inconclusive: [], degraded: [], isFinal: true, runs: 0, cpuSeconds: 0 };
  request.stage('type-checking');
  const { confirmFindings } = await import('#check/typecheck/confirm.ts');
  return confirmFindings(context, meeting, baseTree, findings, {
    ...request.confirm,
    resultsDir: join(request.cacheDir, 'confirm'),
    onInterrupt: (cleanup) => request.onInterrupt?.(async () => cleanup()) ?? (() => {}),
  });
}

type Tested = Pick<Confirmed, 'findings' | 'inconclusive' | 'degraded' | 'runs'> & {
  readonly judged?: ReadonlyMap<FoundIn, TestVerdict>;
};

/** Runs code of the branches only when requested. */
async function witness(
  context: CheckContext,
  { meeting }: Comparison,
  known: readonly FoundIn[],
  request: Examination,
): Promise<Tested> {
  if (!request.running) return { findings: [], inconclusive: [], degraded: [], runs: 0 };
  request.stage('building, testing');
  const { confirmByRunning } = await import('#check/witness/confirm-by-running.ts');
  return confirmByRunning(context, meeting, request.running, known, {
    resultsDir: join(request.cacheDir, 'confirm'),
    onInterrupt: (cleanup) => request.onInterrupt?.(async () => cleanup()) ?? (() => {}),
  });
}

function joinConfirmed(checked: Confirmed, tested: Tested): Confirmed {
  return {
    ...checked,
    findings: [
      ...checked.findings.map((found) => withVerdict(found, tested.judged?.get(found))),
      ...tested.findings,
    ],
    inconclusive: [...checked.inconclusive, ...tested.inconclusive],
    degraded: [...checked.degraded, ...tested.degraded],
  };
}

function withVerdict(found: FoundIn, verdict: TestVerdict | undefined): FoundIn {
  if (verdict === undefined) return found;
  const { assembled } = found;
  return { ...found, assembled: { ...assembled, finding: { ...assembled.finding, ...verdict } } };
}

function tooOld({ older, tips }: Branches): CheckReport['degraded'][number] {
  const reason = `left out: ${older} with older commits than the ${tips.length} that were checked`;
  return { check: 'branches', reason };
}

function leftOut(refs: readonly string[], base: string): CheckReport['degraded'][number] {
  const some = refs.slice(0, 5).join(', ');
  const rest = refs.length > 5 ? ` and ${refs.length - 5} more` : '';
  return { check: 'branches', reason: `left out, no common history with ${base}: ${some}${rest}` };
}

function framed(found: readonly (Omit<FoundIn, 'finding'> & { readonly finding: Finding })[]): {
  findings: CheckReport['findings'];
  frames: Frames;
} {
  const sorted = sortFindings(found);
  return {
    findings: sorted.map(({ finding, shown }) => ({ ...finding, sites: [...shown.sites] })),
    frames: new Map(sorted.map(({ finding, shown }) => [finding.id, shown.frames])),
  };
}

function changedPaths(branches: readonly Branch[]): ReadonlySet<string> {
  return new Set(branches.flatMap(({ changes }) => changes.map(({ path }) => path)));
}
