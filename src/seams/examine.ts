import { join } from 'node:path';
import { FactsReader } from '../code/facts-reader.ts';
import { FactsStore } from '../code/facts-store.ts';
import { familyOf } from '../code/languages/index.ts';
import { ResolutionDocuments } from '../code/resolve/documents.ts';
import { GitTree } from '../git/tree.ts';
import type { CheckReport, Finding } from '../model/check-report.ts';
import type { Frames } from '../model/frame.ts';
import { blastRadius } from './blast-radius.ts';
import { type BranchWork, readBranches } from './branches.ts';
import type { CheckOutcome, CheckRequest } from './check.ts';
import { confirmFindings } from './confirm/confirm.ts';
import { sortFindings } from './findings.ts';
import { frameFinding } from './frames.ts';
import { ignoredMergeDrivers } from './merge-drivers.ts';
import { mergePlan } from './merge-plan.ts';
import type { NamedCommit, Workspace } from './named-branches.ts';
import { applyPolicy } from './policy.ts';
import type { FoundIn } from './seam-context.ts';
import { readSeams } from './seams.ts';
import { CodeTrees } from './unions.ts';

interface Branches {
  readonly base: NamedCommit;
  readonly tips: readonly NamedCommit[];
}

type Examination = CheckRequest & { readonly maxFactsBytes: number };

/** Finds out whether branches fit together. */
export async function examineBranches(
  workspace: Workspace,
  named: Branches,
  request: Examination,
): Promise<CheckOutcome> {
  const store = new FactsStore(join(request.cacheDir, 'facts.db'), {
    objectFormat: workspace.repository.objectFormat,
    maxBytes: request.maxFactsBytes,
  });
  try {
    return await examine(workspace, named, store, request);
  } finally {
    store.close();
  }
}

async function examine(
  workspace: Workspace,
  named: Branches,
  store: FactsStore,
  request: Examination,
): Promise<CheckOutcome> {
  const progress = request.progress ?? (() => {});
  const { base, branches } = await readBranches(workspace, named);
  const reader = new FactsReader(workspace.objects, store);
  const baseTree = await GitTree.read(workspace.scratch.git, base.tree);
  const documents = new ResolutionDocuments(workspace.objects);
  const trees = new CodeTrees(workspace, baseTree, reader, documents, request.pythonRoots ?? []);
  const context = {
    workspace,
    base,
    branches,
    reader,
    trees,
    radius: blastRadius(workspace),
    progress,
  };
  const seams = await readSeams(context);
  const confirmed = await confirmFindings(context, seams.meeting, baseTree, seams.findings, {
    by: 'none',
    demanded: false,
    timeLimitMs: 0,
    ...request.confirm,
    resultsDir: join(request.cacheDir, 'confirm'),
    onInterrupt: (cleanup) => request.onInterrupt?.(async () => cleanup()) ?? (() => {}),
  });
  progress('writing the report');
  const { kept, ignored, notes } = applyPolicy(
    confirmed.findings.map((found) => ({ ...found, finding: found.assembled.finding })),
    request.policy ?? { rules: {}, ignore: [] },
    request.today,
  );
  const { findings, frames } = await framed(kept, workspace);
  const unread = unreadable(branches, reader);
  const degraded = [
    ...unread.degraded,
    ...notes,
    ...confirmed.degraded,
    ...(await ignoredMergeDrivers(baseTree, workspace.objects)),
    ...(store.problem === null ? [] : [{ check: 'cache', reason: `facts are not kept: ${store.problem}` }]),
  ];
  const inconclusive = [...unread.inconclusive, ...seams.inconclusive, ...confirmed.inconclusive];
  const live = branches
    .filter(({ state }) => state === 'checked' || state === 'conflicted')
    .map(({ ref }) => ref);
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
    ...mergePlan(live, findings, new Set([...unread.branches, ...seams.union.excluded])),
    findings,
    ...(ignored.length > 0 ? { ignored } : {}),
    inconclusive,
    degraded,
    ...(confirmed.checkers.length > 0 ? { checkers: [...confirmed.checkers] } : {}),
    stats: seams.stats,
  };
  return { isKnown: false, report, frames, reads: reader.counts, checkerRuns: confirmed.executed };
}

function statusOf(findings: CheckReport['findings'], inconclusive: number): CheckReport['status'] {
  if (findings.some(({ severity }) => severity === 'blocking')) return 'fail';
  return inconclusive > 0 ? 'inconclusive' : 'pass';
}

async function framed(
  found: readonly (FoundIn & { readonly finding: Finding })[],
  workspace: Workspace,
): Promise<{ findings: CheckReport['findings']; frames: Frames }> {
  const findings: CheckReport['findings'] = [];
  const frames = new Map<string, Awaited<ReturnType<typeof frameFinding>>['frames']>();
  for (const { assembled, finding, union } of sortFindings(found)) {
    const shown = await frameFinding(assembled, union, workspace.objects);
    findings.push({ ...finding, sites: shown.sites });
    frames.set(finding.id, shown.frames);
  }
  return { findings, frames };
}

/** Files that a branch changed and that could not be read or parsed. Data files are only checked for duplicate keys. */
function unreadable(
  branches: readonly BranchWork[],
  reader: FactsReader,
): Pick<CheckReport, 'inconclusive' | 'degraded'> & { branches: Set<string> } {
  const unread = new Set<string>();
  const inconclusive: CheckReport['inconclusive'] = [];
  const degraded: CheckReport['degraded'] = [];
  for (const branch of branches.filter(({ state }) => state === 'checked' || state === 'conflicted')) {
    for (const { path, after } of branch.changes) {
      const family = familyOf(path);
      if (after?.kind !== 'file' || family === undefined) continue;
      const error = reader.facts(path, after.id)?.syntaxError;
      const reason = reader.unreadable(after.id) ?? (error ? `line ${error.line}: ${error.message}` : null);
      if (reason === null) continue;
      if (family === 'data') degraded.push({ check: 'T06', reason: `${path} on ${branch.ref}: ${reason}` });
      else {
        unread.add(branch.ref);
        inconclusive.push({ file: path, reason: `on ${branch.ref}: ${reason}` });
      }
    }
  }
  return { inconclusive, degraded, branches: unread };
}
