import { chooseWorkflowRun, workflowStatus } from '#app/workflow/steer-runs.ts';
import type { WorkflowRoom } from '#app/workflow/workflow-room.ts';
import { leaseHolder } from '#durable/lease.ts';
import type { Store } from '#durable/store.ts';
import { UsageError } from '#schema/errors.ts';
import type { InboxItem, WorkflowRow, WorkflowView } from '#schema/window.ts';
import { outlineOf } from '#workflow/catalogue/outline.ts';
import { listedRuns, prepareTable } from '#workflow/engine/catalogue-table.ts';
import { readTree } from '#workflow/engine/tree.ts';
import { statusOf } from '#workflow/engine/workflow-engine.ts';

const mostRows = 1000;

/** Runs that follow a workflow, newest first. */
export function workflowRows(store: Store): WorkflowRow[] {
  prepareTable(store);
  return listedRuns(store, mostRows).map(
    ({ run, workflow, goal, status, step, parent, createdAt, updatedAt }) => ({
      run,
      workflow,
      goal,
      status,
      step,
      parent,
      createdAt,
      at: updatedAt,
    }),
  );
}

/** Runs that wait for a person. */
export function gatesOf(rows: readonly WorkflowRow[]): InboxItem[] {
  return rows
    .filter(({ status }) => status === 'awaiting_human')
    .map(({ run, workflow, goal, step, at }) => ({
      kind: 'gate',
      title: `${step ?? workflow} waits for approval`,
      detail: `${workflow}: ${goal}`,
      run,
      task: step,
      question: null,
      finding: null,
      at,
    }));
}

export function workflowViewOf(room: WorkflowRoom, named: string): WorkflowView {
  const run = chooseWorkflowRun(room, named);
  const { schema: _, ...status } = workflowStatus(room, run);
  const { started, tips, nodes } = readTree(room.log, run);
  const tip = tips[0] ?? nodes.at(-1);
  const gate = tips.find(({ kind }) => kind === 'gate');
  const isOpen = tip?.kind === 'step' || tip?.kind === 'blocked';
  return {
    ...status,
    schema: 'joinery/workflow-view@1',
    name: started.name,
    status: tip ? statusOf(tip) : 'running',
    steps: outlineOf(room.log.workflow(run, started.hash).steps),
    gate: gate
      ? {
          node: `n${gate.node}`,
          step: gate.step,
          kind: gate.gate?.kind ?? '',
          rationale: gate.verdict?.rationale ?? null,
        }
      : null,
    next: [
      ...(isOpen ? [`joinery workflow resume ${run}`] : []),
      ...(gate ? [`joinery workflow gate ${run} approve`, `joinery workflow gate ${run} reject`] : []),
      `joinery workflow status ${run}`,
    ],
  };
}

export interface GateWish {
  readonly node: string;
  readonly verdict: 'approved' | 'rejected';
  readonly rationale: string;
}

/** Decides the gate the person saw, not one the run has reached since. A second decision changes nothing. */
export function decideGateAt(room: WorkflowRoom, named: string, wish: GateWish, sender: string): void {
  const run = chooseWorkflowRun(room, named);
  if (wish.verdict === 'rejected' && wish.rationale.trim() === '')
    throw new UsageError({
      code: 'no-reason',
      message: 'why is it rejected? The agent reads it',
      hint: 'give a rationale',
    });
  room.engine.decide(run, Number(wish.node.slice(1)), {
    verdict: wish.verdict,
    rationale: wish.rationale.trim() === '' ? `approved by ${sender}` : wish.rationale,
    by: 'person',
  });
}

/** Whether a process drives the run now. */
export function isDrivenHere({ log }: WorkflowRoom, run: string): boolean {
  return leaseHolder(log.store, run, log.now())?.isAlive ?? false;
}
