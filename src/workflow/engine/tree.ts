import { readEvents } from '#durable/journal.ts';
import type { WorkflowStarted } from '#schema/workflow-run.ts';
import type { NumberedNode, WorkflowLog } from './log.ts';
import { WorkflowError } from './workflow-error.ts';

/** A whole run: every node it has reached, and which tip continues. */
export interface RunTree {
  readonly run: string;
  readonly started: WorkflowStarted;
  readonly startedAt: string;
  readonly nodes: readonly (NumberedNode & { readonly at: string })[];
  /** Tips of branches, the one to continue with first. */
  readonly tips: readonly NumberedNode[];
  readonly children: readonly string[];
}

export function readTree(log: WorkflowLog, run: string): RunTree {
  let started: { data: WorkflowStarted; at: string } | null = null;
  const nodes: (NumberedNode & { at: string })[] = [];
  const children: string[] = [];
  for (const event of readEvents(log.store, run, 0)) {
    if (event.type === 'workflow.started') started = event;
    else if (event.type === 'workflow.node') nodes.push({ ...event.data, node: event.seq, at: event.at });
    else if (event.type === 'workflow.delegated')
      children.push(...event.data.children.map((each) => each.run));
  }
  if (!started)
    throw new WorkflowError('NOT_FOUND', `there is no run ${run} of a workflow`, 'joinery workflow runs');
  return { run, started: started.data, startedAt: started.at, nodes, tips: tipsOf(nodes), children };
}

/** Prefers the branch with the most work, then the newest. A checkpoint is only a marker, not a branch. */
function tipsOf(nodes: readonly NumberedNode[]): NumberedNode[] {
  const byNumber = new Map(nodes.map((node) => [node.node, node]));
  const left = new Set(
    nodes.flatMap(({ parent, kind }) => (parent !== null && kind !== 'checkpoint' ? [parent] : [])),
  );
  const depths = new Map<number, number>();
  for (const { node, parent, kind } of nodes) {
    const step = kind === 'blocked' || kind === 'checkpoint' ? 0 : 1;
    depths.set(node, (parent === null ? 0 : (depths.get(parent) ?? 0)) + step);
  }
  return [...byNumber.values()]
    .filter(({ node, kind }) => !left.has(node) && kind !== 'checkpoint')
    .sort((a, b) => (depths.get(b.node) ?? 0) - (depths.get(a.node) ?? 0) || b.node - a.node);
}
