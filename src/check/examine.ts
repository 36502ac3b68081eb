import { join } from 'node:path';
import { FactsReader } from '#code/facts/facts-reader.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { familyOf } from '#code/languages/index.ts';
import { ResolutionDocuments } from '#code/link/documents.ts';
import { GitTree, listTree } from '#git/tree.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { Frames } from '#schema/frame.ts';

import { type BranchWork, readBranches } from './branches/branches.ts';
import { ignoredMergeDrivers } from './branches/merge-drivers.ts';
import type { NamedCommit, Workspace } from './branches/named-branches.ts';
import { LinkMemory } from './cache/link-memory.ts';
import type { OutcomeStore } from './cache/outcome-store.ts';
import type { CheckOutcome, CheckRequest } from './check.ts';
import type { FoundIn, SeamContext } from './context.ts';
import { blastRadius } from './findings/blast-radius.ts';
import { coverageOf } from './findings/coverage.ts';
import { sortFindings } from './findings/findings.ts';
import { asMerged, mergePlan } from './findings/merge-plan.ts';
import { applyPolicy } from './findings/policy.ts';
import { isBuiltOn, readSeams, type SeamReport } from './seams.ts';
import type { Confirmed } from './typecheck/confirm.ts';
import { CodeTrees, mergeMany } from './unions/unions.ts';

interface Branches {
  readonly base: NamedCommit;
  readonly tips: readonly NamedCommit[];
}

type Examination = CheckRequest & { readonly maxFactsBytes: number };

/** Finds out whether branches fit together. */
export async function examineBranches(
  workspace: Workspace,
  named: Branches,
  outcomes: OutcomeStore,
  request: Examination,
): Promise<CheckOutcome> {
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
): Promise<CheckOutcome> {
  const progress = request.progress ?? (() => {});
  const { base, branches, history } = await readBranches(workspace, named);
  const reader = new FactsReader(workspace.objects, store);
  const baseTree = await readBase(workspace, base.tree, outcomes);
  const documents = new ResolutionDocuments(workspace.objects);
  const pythonRoots = request.pythonRoots ?? [];
  const trees = new CodeTrees(workspace, baseTree, reader, documents, pythonRoots);
  const links = new LinkMemory(outcomes, trees, baseTree, reader, pythonRoots);
  const context = {
    workspace,
    base,
    branches,
    history,
    reader,
    trees,
    links,
    outcomes,
    pythonRoots,
    radius: blastRadius(workspace, base.tree, links),
    progress,
  };
  const seams = await readSeams(context);
  const confirmed = await confirm(context, seams, baseTree, request);
  progress('writing the report');
  const { kept, ignored, notes } = applyPolicy(
    confirmed.findings.map((found) => ({ ...found, finding: found.assembled.finding })),
    request.policy ?? { rules: {}, ignore: [] },
    request.today,
  );
  const { findings, frames } = framed(kept);
  const unread = await unreadable(branches, reader, outcomes);
  links.save();
  const degraded = [
    ...unread.degraded,
    ...notes,
    ...confirmed.degraded,
    ...(await ignoredMergeDrivers(baseTree, workspace.objects)),
    ...(store.problem === null ? [] : [{ check: 'cache', reason: `facts are not kept: ${store.problem}` }]),
  ];
  const inconclusive = [...unread.inconclusive, ...seams.inconclusive, ...confirmed.inconclusive];
  const live = branches.filter(({ state }) => state === 'checked' || state === 'conflicted');
  const report: CheckReport = {
    schema: 'joinery/check@1',
    status: statusOf(findings, inconclusive.length),
    base: { ref: base.ref, commit: base.commit },
    branches: branches.map(({ ref, commit, mergeBase, changes, state }) => ({
      ref,
      commit,
      mergeBase,
      files: changes.length,
      state,
    })),
    union: seams.union,
    ...(await planMerges(context, seams, live, findings, unread.branches)),
    findings,
    ...(ignored.length > 0 ? { ignored } : {}),
    inconclusive,
    degraded,
    coverage: coverageOf(live, seams.meeting.sides),
    ...(confirmed.checkers.length > 0 ? { checkers: [...confirmed.checkers] } : {}),
    stats: seams.stats,
  };
  return { isKnown: false, report, frames, reads: reader.counts, checkerRuns: confirmed.executed };
}

/** Who can land, in an order in which git merges them. */
async function planMerges(
  context: SeamContext,
  { union, meeting }: SeamReport,
  live: readonly BranchWork[],
  findings: readonly Finding[],
  unread: ReadonlySet<string>,
): Promise<Pick<CheckReport, 'landable' | 'blocked'>> {
  const plan = mergePlan(
    live.map(({ ref }) => ref),
    findings,
    new Set([...unread, ...union.excluded]),
    isBuiltOn(context),
  );
  const { tips, full } = meeting;
  const landable = new Set(plan.landable);
  const wanted = full.order.filter((index) => landable.has(tips[index]?.ref ?? ''));
  const { order } = wanted.length === full.order.length ? full : await mergeMany(context, tips, wanted);
  return asMerged(
    plan,
    order.flatMap((index) => tips[index]?.ref ?? []),
  );
}

/** A longer listing costs more to keep than git takes to write it. */
const mostListed = 1024 * 1024;

/** The tree of base seldom changes between checks: it is listed once. */
async function readBase({ scratch }: Workspace, tree: string, outcomes: OutcomeStore): Promise<GitTree> {
  const question = ['listing', tree];
  const [known] = outcomes.read([question]) as [string | undefined];
  const listing = known ?? (await listTree(scratch.git, tree));
  if (known === undefined && typeof listing === 'string' && listing.length <= mostListed)
    outcomes.remember(question, listing);
  return GitTree.of(tree, listing);
}

/** The checkers are loaded only when they are asked. */
async function confirm(
  context: SeamContext,
  { meeting, findings }: SeamReport,
  baseTree: GitTree,
  request: Examination,
): Promise<Confirmed> {
  if (!request.confirm || request.confirm.by === 'none')
    return { findings, checkers: [], inconclusive: [], degraded: [], executed: 0 };
  const { confirmFindings } = await import('./typecheck/confirm.ts');
  return confirmFindings(context, meeting, baseTree, findings, {
    ...request.confirm,
    resultsDir: join(request.cacheDir, 'confirm'),
    onInterrupt: (cleanup) => request.onInterrupt?.(async () => cleanup()) ?? (() => {}),
  });
}

function statusOf(findings: CheckReport['findings'], inconclusive: number): CheckReport['status'] {
  if (findings.some(({ severity }) => severity === 'blocking')) return 'fail';
  return inconclusive > 0 ? 'inconclusive' : 'pass';
}

function framed(found: readonly (FoundIn & { readonly finding: Finding })[]): {
  findings: CheckReport['findings'];
  frames: Frames;
} {
  const sorted = sortFindings(found);
  return {
    findings: sorted.map(({ finding, shown }) => ({ ...finding, sites: [...shown.sites] })),
    frames: new Map(sorted.map(({ finding, shown }) => [finding.id, shown.frames])),
  };
}

interface Unread {
  readonly path: string;
  readonly isData: boolean;
  readonly reason: string;
}

/** Files that a branch changed and that could not be read or parsed. Data files are only checked for duplicate keys. */
async function unreadable(
  branches: readonly BranchWork[],
  reader: FactsReader,
  outcomes: OutcomeStore,
): Promise<Pick<CheckReport, 'inconclusive' | 'degraded'> & { branches: Set<string> }> {
  const unread = new Set<string>();
  const inconclusive: CheckReport['inconclusive'] = [];
  const degraded: CheckReport['degraded'] = [];
  for (const branch of branches.filter(({ state }) => state === 'checked' || state === 'conflicted')) {
    const question = ['unread', branch.mergeBaseTree, branch.tree];
    const known = outcomes.read([question])[0] as Unread[] | undefined;
    const files = known ?? (await unreadFiles(branch, reader));
    if (!known) outcomes.remember(question, files);
    for (const { path, isData, reason } of files) {
      if (isData) degraded.push({ check: 'T06', reason: `${path} on ${branch.ref}: ${reason}` });
      else {
        unread.add(branch.ref);
        inconclusive.push({ file: path, reason: `on ${branch.ref}: ${reason}` });
      }
    }
  }
  return { inconclusive, degraded, branches: unread };
}

async function unreadFiles({ changes }: BranchWork, reader: FactsReader): Promise<Unread[]> {
  const files = changes.flatMap(({ path, after }) =>
    after?.kind === 'file' && familyOf(path) !== undefined ? [{ path, blob: after.id }] : [],
  );
  await reader.load(files);
  return files.flatMap(({ path, blob }) => {
    const error = reader.facts(path, blob)?.syntaxError;
    const reason = reader.unreadable(blob) ?? (error ? `line ${error.line}: ${error.message}` : null);
    return reason === null ? [] : [{ path, isData: familyOf(path) === 'data', reason }];
  });
}
