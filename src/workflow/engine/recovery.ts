import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import type { Standing } from './answer.ts';
import type { NumberedNode, WorkflowLog } from './log.ts';

const budget = 24 * 1024;

/** A recap for an agent that resumes: its own notes, the newest first, as many whole ones as fit. */
export function recoveryText(
  log: WorkflowLog,
  { run, node, started }: Standing,
  ways: readonly WorkflowAnswer[],
): string {
  const done = notesBehind(log, run, node);
  if (done.length === 0 && ways.length === 0) return '';
  const head = ['## Recovery context', `Goal: ${started.goal}`];
  const went = ways.map((way) => way.pending?.stepId ?? (way.isComplete ? 'the end' : way.kind));
  if (went.length > 0)
    head.push(
      `This step is already done; the run continued with ${went.join(' and ')}. Continuing from here forks it.`,
    );
  let left = budget - Buffer.byteLength(head.join('\n'));
  const shown: string[] = [];
  for (const { step, notes } of done) {
    const text = `### ${step}\n${notes}`;
    const bytes = Buffer.byteLength(text) + 2;
    if (bytes > left) break;
    shown.push(text);
    left -= bytes;
  }
  const missing = done.length - shown.length;
  if (missing > 0)
    shown.push(
      `[${missing} earlier notes are left out here: joinery workflow status ${run} prints all of them]`,
    );
  return [...head, ...shown].join('\n\n');
}

/** Notes from a node back to the start. */
export function notesBehind(
  log: WorkflowLog,
  run: string,
  from: NumberedNode,
): { readonly step: string; readonly notes: string; readonly node: number }[] {
  const found: { step: string; notes: string; node: number }[] = [];
  for (let node = from; node.parent !== null; ) {
    const parent = log.node(run, node.parent);
    if (node.output?.notes && node.kind !== 'blocked' && node.kind !== 'stopped')
      found.push({ step: parent.step ?? '', notes: log.text(run, node.output.notes), node: parent.node });
    node = parent;
  }
  return found;
}
