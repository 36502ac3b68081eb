import { join } from 'node:path';
import { FactsReader } from '../code/facts-reader.ts';
import { FactsStore } from '../code/facts-store.ts';
import { familyOf } from '../code/languages/index.ts';
import { ResolutionDocuments } from '../code/resolve/documents.ts';
import { ObjectReader } from '../git/object-reader.ts';
import type { Repository } from '../git/repository.ts';
import { createScratch } from '../git/scratch.ts';
import { GitTree } from '../git/tree.ts';
import type { CheckReport, Finding } from '../model/check-report.ts';
import type { Frames } from '../model/frame.ts';
import { blastRadius } from './blast-radius.ts';
import { type BranchWork, readBranches, type Workspace } from './branches.ts';
import { type ConfirmOptions, confirmFindings } from './confirm/confirm.ts';
import { sortFindings } from './findings.ts';
import { frameFinding } from './frames.ts';
import { ignoredMergeDrivers } from './merge-drivers.ts';
import { mergePlan } from './merge-plan.ts';
import { applyPolicy, type Policy } from './policy.ts';
import type { FoundIn } from './seam-context.ts';
import { readSeams } from './seams.ts';
import { CodeTrees } from './unions.ts';

export interface CheckRequest {
  readonly repository: Repository;
  /** null: the repository's default branch. */
  readonly base: string | null;
  /** Empty: all unmerged local branches and linked worktrees. */
  readonly branches: readonly string[];
  /** Commits that names stand for, where it is not what they stand for now. */
  readonly commits?: ReadonlyMap<string, string>;
  readonly cacheDir: string;
  readonly maxCacheBytes?: number;
  readonly pythonRoots?: readonly string[];
  readonly policy?: Policy;
  readonly confirm?: Pick<ConfirmOptions, 'by' | 'demanded' | 'timeLimitMs'>;
  /** Decides which ignore entries have expired: 2026-12-31. */
  readonly today: string;
  readonly progress?: (text: string) => void;
  /** Registers what has to be put away when the process is interrupted; returns how to take it off again. */
  readonly onInterrupt?: (cleanup: () => Promise<void>) => () => void;
}

export interface CheckOutcome {
  readonly report: CheckReport;
  readonly frames: Frames;
  /** Facts extracted and found in the cache: differs from run to run, so it is not part of the report. */
  readonly reads: { readonly extracted: number; readonly cached: number };
  /** Checker runs, for the same reason. */
  readonly checkerRuns: number;
}

const defaultCacheBytes = 2 * 1024 * 1024 * 1024;

/** Do these branches fit together? Reads the repository; writes nothing below it. */
export async function checkBranches(request: CheckRequest): Promise<CheckOutcome> {
  const { repository } = request;
  const scratch = await createScratch(repository, join(request.cacheDir, 'objects', repository.key));
  const settled = request.onInterrupt?.(scratch.remove);
  const names = new ObjectReader(repository.git);
  const objects = new ObjectReader(scratch.git);
  const store = new FactsStore(join(request.cacheDir, 'facts.db'), {
    objectFormat: repository.objectFormat,
    maxBytes: request.maxCacheBytes ?? defaultCacheBytes,
  });
  try {
    return await check({ repository, scratch, names, objects }, store, request);
  } finally {
    names.close();
    objects.close();
    store.close();
    await scratch.remove();
    settled?.();
  }
}

async function check(workspace: Workspace, store: FactsStore, request: CheckRequest): Promise<CheckOutcome> {
  const progress = request.progress ?? (() => {});
  progress('reading branches');
  const { base, branches } = await readBranches(workspace, request);
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
  return { report, frames, reads: reader.counts, checkerRuns: confirmed.executed };
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
