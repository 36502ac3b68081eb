import type {
  CompiledLoop,
  CompiledNode,
  CompiledStep,
  CompiledWorkflow,
} from '#schema/compiled-workflow.ts';
import type { Context } from '#workflow/language/condition.ts';

/** The position of a run in one list of steps. */
export interface Frame {
  /** Index of the step in the list. */
  readonly index: number;
  /** Which pass of the loop whose body the list is, from 0; always 0 at the top. */
  readonly pass: number;
  /** The decision of a step of this pass about the loop. */
  readonly decision?: 'continue' | 'stop';
  /** How many times each step of this list has jumped in this pass. */
  readonly jumps?: Readonly<Record<string, number>>;
}

/**
 * The whole state of a run, besides its context: one frame for the top and one for every loop around the current step.
 * Its size does not depend on the number of finished steps.
 */
export type Position = readonly [Frame, ...Frame[]];

export const start: Position = [{ index: 0, pass: 0 }];

/** The lists of steps from the top down to the one of the last frame. */
export function listsAt(
  workflow: CompiledWorkflow,
  position: Position,
): readonly (readonly CompiledNode[])[] {
  const lists: (readonly CompiledNode[])[] = [workflow.steps];
  for (const { index } of position.slice(0, -1)) {
    const node = lists.at(-1)?.[index];
    if (node?.kind !== 'loop')
      throw new Error(`position ${JSON.stringify(position)} is not in this workflow`);
    lists.push(node.body);
  }
  return lists;
}

/** The loops around a position, the outermost first. */
export function loopsAt(workflow: CompiledWorkflow, position: Position): CompiledLoop[] {
  const lists = listsAt(workflow, position);
  return position.slice(0, -1).map(({ index }, depth) => lists[depth]?.[index] as CompiledLoop);
}

export function stepAt(workflow: CompiledWorkflow, position: Position): CompiledStep {
  const node = listsAt(workflow, position).at(-1)?.[position.at(-1)?.index ?? 0];
  if (node === undefined || node.kind === 'loop')
    throw new Error(`position ${JSON.stringify(position)} is not a step of this workflow`);
  return node;
}

/** `step`, or in loops `outer@2/inner@0::step`. */
export function instanceKey(loops: readonly CompiledLoop[], position: Position, id: string): string {
  const path = loops.map((loop, depth) => `${loop.id}@${position[depth + 1]?.pass ?? 0}`);
  return path.length === 0 ? id : `${path.join('/')}::${id}`;
}

/** The context with the variables of the loops around a position. */
export function contextAt(loops: readonly CompiledLoop[], position: Position, context: Context): Context {
  if (loops.length === 0) return context;
  const seen: Record<string, unknown> = { ...context };
  for (const [depth, { loop }] of loops.entries()) {
    const pass = position[depth + 1]?.pass ?? 0;
    const items = loop.items === undefined ? undefined : seen[loop.items];
    seen[loop.iterationVar ?? 'currentIteration'] = pass + 1;
    if (loop.type === 'forEach' && Array.isArray(items)) {
      seen[loop.itemVar ?? 'currentItem'] = items[pass];
      seen[loop.indexVar ?? 'currentIndex'] = pass;
    }
  }
  return seen;
}
