import { deleteRun } from '#crew/state/catalogue.ts';
import { nearest } from '#lib/nearest.ts';
import { UsageError } from '#schema/errors.ts';
import type { WorkflowRunsReport, WorkflowStatusReport } from '#schema/workflow-reports.ts';
import type { GateVerdict, WorkflowAnswer } from '#schema/workflow-run.ts';
import { exportRun, importRun, type WorkflowBundle } from '#workflow/engine/bundle.ts';
import { listedRuns, unlistRun } from '#workflow/engine/catalogue-table.ts';
import { findRuns } from '#workflow/engine/find-runs.ts';
import { openKeyring } from '#workflow/engine/keyring.ts';
import { readTree } from '#workflow/engine/tree.ts';
import { newRunId } from '#workflow/engine/workflow-engine.ts';
import type { WorkflowRoom } from './workflow-room.ts';
import { whereAt } from './workflow-runs.ts';

export function listWorkflowRuns({ log }: WorkflowRoom): WorkflowRunsReport {
  return { schema: 'joinery/workflow-runs@1', runs: listedRuns(log.store) };
}

/** The named run, or the only one whose id starts with the name. */
export function chooseWorkflowRun({ log }: WorkflowRoom, named: string): string {
  const all = listedRuns(log.store).map(({ run }) => run);
  const matching = all.includes(named) ? [named] : all.filter((run) => run.startsWith(named));
  if (matching.length === 1 && matching[0] !== undefined) return matching[0];
  const meant = nearest(named, all);
  throw new UsageError({
    code: 'unknown-run',
    message:
      matching.length === 0
        ? `there is no run ${named} of a workflow${meant === null ? '' : `; did you mean ${meant}?`}`
        : `${named} can be ${matching.slice(0, 5).join(' or ')}`,
    hint: 'joinery workflow runs',
  });
}

export function workflowStatus({ log }: WorkflowRoom, run: string): WorkflowStatusReport {
  const { started, startedAt, nodes, tips, children } = readTree(log, run);
  return {
    schema: 'joinery/workflow-status@1',
    run,
    workflow: started.workflow,
    hash: started.hash,
    goal: started.goal,
    mode: started.mode,
    startedAt,
    parent: started.parent?.run ?? null,
    children: [...children],
    nodes: nodes.map((node) => ({
      node: `n${node.node}`,
      parent: node.parent === null ? null : `n${node.parent}`,
      kind: node.kind,
      cause: node.cause,
      step: node.step,
      at: node.at,
      notes: node.output?.notes ? log.text(run, node.output.notes) : null,
      artifacts: (node.output?.artifacts ?? []).map(({ sha256 }) => JSON.parse(log.text(run, sha256))),
      blockers: node.blockers,
      check: node.check,
      verdict: node.verdict,
      trace: node.trace,
    })),
    tips: tips.map(({ node }) => `n${node}`),
  };
}

/** The step to continue with, and a token for it. Writes nothing. */
export function resumeRun({ engine, log }: WorkflowRoom, run: string): WorkflowAnswer {
  const { tips, nodes } = readTree(log, run);
  return engine.at(run, (tips[0] ?? nodes[0])?.node ?? 0);
}

export async function searchRuns(room: WorkflowRoom, query: string | undefined, run?: string) {
  const { branch, head } = await whereAt(room.repository);
  return findRuns(room.log.store, { query, run, branch, head });
}

/** Back to an earlier node: what is done from there is a new branch of the run. */
export function forkRun({ engine }: WorkflowRoom, run: string, node: number): WorkflowAnswer {
  return engine.at(run, node, true);
}

export function decideGate({ engine, log }: WorkflowRoom, run: string, verdict: GateVerdict): WorkflowAnswer {
  const { tips } = readTree(log, run);
  const waiting = tips.find(({ kind }) => kind === 'gate');
  if (waiting) return engine.decide(run, waiting.node, verdict);
  throw new UsageError({
    code: 'no-gate',
    message: `run ${run} does not wait at a gate`,
    hint: `joinery workflow status ${run}`,
  });
}

export function exportWorkflowRun({ log }: WorkflowRoom, run: string): WorkflowBundle {
  return exportRun(log, run);
}

export function importWorkflowRun({ log, keyFile }: WorkflowRoom, bundle: WorkflowBundle): string {
  return importRun(log, openKeyring(keyFile), bundle, newRunId);
}

/** Runs that have ended and are old enough; removes them unless it is a dry run. */
export function pruneWorkflowRuns(room: WorkflowRoom, days: number, isDryRun: boolean): string[] {
  const { log, runs } = { ...room, runs: listedRuns(room.log.store) };
  const before = new Date(log.now() - days * 86_400_000).toISOString();
  const doomed = runs.filter(
    ({ status, updatedAt }) => (status === 'done' || status === 'failed') && updatedAt < before,
  );
  if (isDryRun) return doomed.map(({ run }) => run);
  for (const { run } of doomed) {
    deleteRun({ store: log.store }, run);
    unlistRun(log.store, run);
  }
  return doomed.map(({ run }) => run);
}
