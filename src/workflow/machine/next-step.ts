import type {
  CompiledLoop,
  CompiledNode,
  CompiledStep,
  CompiledWorkflow,
} from '#schema/compiled-workflow.ts';
import type { TraceEntry } from '#schema/workflow-run.ts';
import { type Context, holds } from '#workflow/language/condition.ts';
import { contextAt, type Frame, instanceKey, listsAt, loopsAt, type Position, start } from './position.ts';

/** Where a run goes next, and why. */
export type Next =
  | { readonly kind: 'step'; readonly position: Position; readonly trace: readonly TraceEntry[] }
  | { readonly kind: 'complete'; readonly trace: readonly TraceEntry[] }
  /** It cannot continue with this context; nothing has changed. */
  | { readonly kind: 'stuck'; readonly code: string; readonly message: string };

/** More moves without finding a step mean that the workflow loops forever. */
const mostMoves = 10_000;

export function firstStep(workflow: CompiledWorkflow, context: Context): Next {
  return settle(workflow, start, context, []);
}

/** The next step after the one at `position` was accepted. Skipped steps are never revisited. */
export function nextStep(
  workflow: CompiledWorkflow,
  position: Position,
  context: Context,
  decision: 'continue' | 'stop' | null,
): Next {
  const trace: TraceEntry[] = [];
  const list = listsAt(workflow, position).at(-1) ?? [];
  const frame = position.at(-1) as Frame;
  const decided = decision === null ? frame : { ...frame, decision };
  const moved = jump(workflow, position, list, decided, context, trace) ?? {
    ...decided,
    index: frame.index + 1,
  };
  return settle(workflow, withLast(position, moved), context, trace);
}

function withLast(position: Position, frame: Frame): Position {
  return [...position.slice(0, -1), frame] as unknown as Position;
}

function jump(
  workflow: CompiledWorkflow,
  position: Position,
  list: readonly CompiledNode[],
  frame: Frame,
  context: Context,
  trace: TraceEntry[],
): Frame | null {
  const step = list[frame.index] as CompiledStep;
  const loops = loopsAt(workflow, position);
  if (!step.jumpIf || !holds(step.jumpIf.condition, contextAt(loops, position, context))) return null;
  const key = instanceKey(loops, position, step.id);
  const taken = frame.jumps?.[step.id] ?? 0;
  if (taken >= step.jumpIf.maxJumps) {
    trace.push({ kind: 'max_jumps_reached', step: key, detail: `after ${taken}` });
    return null;
  }
  const { target } = step.jumpIf;
  const index = list.findIndex(({ id }) => id === target);
  trace.push({ kind: 'jumped', step: key, detail: `to ${target}` });
  for (const passed of list.slice(frame.index + 1, index))
    trace.push({ kind: 'skipped', step: instanceKey(loops, position, passed.id), detail: 'jumped over' });
  return { ...frame, index, jumps: { ...frame.jumps, [step.id]: taken + 1 } };
}

/** Advances from a position to the next step whose condition holds. */
function settle(workflow: CompiledWorkflow, from: Position, context: Context, trace: TraceEntry[]): Next {
  let position = from;
  for (let moves = 0; moves < mostMoves; moves++) {
    const list = listsAt(workflow, position).at(-1) ?? [];
    const frame = position.at(-1) as Frame;
    const loops = loopsAt(workflow, position);
    const node = list[frame.index];
    if (node === undefined) {
      if (position.length === 1) return { kind: 'complete', trace };
      const left = endPass(position, loops, context, trace);
      if ('kind' in left) return left;
      position = left.position;
      continue;
    }
    const key = instanceKey(loops, position, node.id);
    if (!holds(node.runCondition, contextAt(loops, position, context))) {
      trace.push({ kind: 'skipped', step: key, detail: 'its condition does not hold' });
      position = withLast(position, { ...frame, index: frame.index + 1 });
    } else if (node.kind === 'loop') {
      const entered = enterPass(node, [...position, { index: 0, pass: 0 }], [...loops, node], context, trace);
      if ('kind' in entered) return entered;
      position = entered.position ?? withLast(position, { ...frame, index: frame.index + 1 });
    } else {
      trace.push({ kind: 'selected', step: key, detail: '' });
      return { kind: 'step', position, trace };
    }
  }
  return {
    kind: 'stuck',
    code: 'SELECTION_LIMIT',
    message: `no step was found within ${mostMoves} moves: a loop has no step that runs`,
  };
}

type Stuck = Extract<Next, { kind: 'stuck' }>;

/** At the end of a body: another pass, or the step after the loop. */
function endPass(
  position: Position,
  loops: readonly CompiledLoop[],
  context: Context,
  trace: TraceEntry[],
): { position: Position } | Stuck {
  const loop = loops.at(-1) as CompiledLoop;
  const frame = position.at(-1) as Frame;
  const outside = position.slice(0, -1) as unknown as Position;
  const behind = withLast(outside, { ...(outside.at(-1) as Frame), index: (outside.at(-1)?.index ?? 0) + 1 });
  if (loop.loop.source.kind === 'artifact' && frame.decision === 'stop') {
    trace.push({ kind: 'exited_loop', step: loop.id, detail: `stopped after pass ${frame.pass + 1}` });
    return { position: behind };
  }
  const again = [...outside, { index: 0, pass: frame.pass + 1 }] as unknown as Position;
  const entered = enterPass(loop, again, loops, context, trace);
  return 'kind' in entered ? entered : { position: entered.position ?? behind };
}

/** Whether the pass of the last frame takes place; null if the loop has ended. */
function enterPass(
  { id, loop, body }: CompiledLoop,
  position: readonly Frame[],
  loops: readonly CompiledLoop[],
  context: Context,
  trace: TraceEntry[],
): { position: Position | null } | Stuck {
  const pass = position.at(-1)?.pass ?? 0;
  const outer = contextAt(loops.slice(0, -1), position.slice(0, -1) as unknown as Position, context);
  const leave = (why: string) => {
    trace.push({ kind: 'exited_loop', step: id, detail: why });
    return { position: null };
  };
  const wanted = wantsPass(loop, id, body, pass, outer);
  if ('kind' in wanted) return wanted;
  if (!wanted.isWanted) return leave(`after ${pass} ${pass === 1 ? 'pass' : 'passes'}`);
  if (pass >= loop.maxIterations) {
    trace.push({ kind: 'max_iterations_reached', step: id, detail: `${loop.maxIterations}` });
    return leave(`at its limit of ${loop.maxIterations}`);
  }
  trace.push({ kind: 'entered_pass', step: id, detail: `${pass + 1}` });
  return { position: position as unknown as Position };
}

function wantsPass(
  loop: CompiledLoop['loop'],
  id: string,
  body: readonly CompiledNode[],
  pass: number,
  context: Context,
): { isWanted: boolean } | Stuck {
  const stuck = (message: string): Stuck => ({ kind: 'stuck', code: 'PRECONDITION_FAILED', message });
  switch (loop.type) {
    case 'while':
    case 'until':
      // An artifact that says stop was handled at the end of the pass; without one the loop continues.
      if (loop.source.kind !== 'context') return { isWanted: true };
      return { isWanted: holds(loop.source.condition, context) === (loop.type === 'while') };
    case 'for': {
      const count = typeof loop.count === 'string' ? context[loop.count] : loop.count;
      if (typeof count !== 'number')
        return stuck(
          `loop ${id} runs as often as the variable ${loop.count} says, which is ${kindOf(count)} and no number`,
        );
      return { isWanted: pass < count };
    }
    case 'forEach': {
      const items = context[loop.items ?? ''];
      if (!Array.isArray(items))
        return stuck(
          `loop ${id} goes through the list in the variable ${loop.items}, which is ${kindOf(items)} and no list`,
        );
      if (items.length > loop.maxIterations)
        return stuck(
          `loop ${id} takes at most ${loop.maxIterations} items and ${loop.items} has ${items.length}: set ${loop.items} to the ones that matter`,
        );
      const wrong = pass === 0 ? wrongItem(loop, body, items) : null;
      return wrong === null ? { isWanted: pass < items.length } : stuck(`loop ${id}: ${wrong}`);
    }
  }
}

const longestPreview = 60;

/** A body that reads fields of an item needs items with those fields. */
function wrongItem(
  loop: CompiledLoop['loop'],
  body: readonly CompiledNode[],
  items: readonly unknown[],
): string | null {
  const name = loop.itemVar ?? 'currentItem';
  const readsFields = body.some((node) => node.kind !== 'loop' && node.prompt.includes(`{{${name}.`));
  const at = items.findIndex((item) => typeof item !== 'object' || item === null || Array.isArray(item));
  if (!readsFields || at < 0) return null;
  const shown = JSON.stringify(items[at]).slice(0, longestPreview);
  return `its steps read fields of {{${name}}}, and item ${at + 1} of ${loop.items} is ${kindOf(items[at])}: ${shown}`;
}

function kindOf(value: unknown): string {
  if (value === undefined || value === null) return 'not set';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
