/**
 * The meaning of a workflow, as plainly as possible: a walk that starts from the beginning every time and keeps no state but
 * its own variables. Tests compare the engine with it.
 */

interface SlowCondition {
  readonly var: string;
  readonly equals?: number;
  readonly gt?: number;
}

export interface SlowStep {
  readonly id: string;
  readonly runCondition?: SlowCondition;
  readonly jumpIf?: { readonly condition: SlowCondition; readonly target: string; readonly maxJumps: number };
  readonly loop?: SlowLoop;
  readonly body?: readonly SlowStep[];
  /** Submits whether the loop continues. */
  readonly decides?: boolean;
}

interface SlowLoop {
  readonly type: 'while' | 'until' | 'for' | 'forEach';
  readonly maxIterations: number;
  readonly condition?: SlowCondition;
  readonly count?: number;
  readonly items?: string;
  readonly iterationVar: string;
}

/** The submission for a step. */
export interface SlowInput {
  readonly set: Readonly<Record<string, unknown>>;
  readonly decision: 'continue' | 'stop';
}

type Variables = Record<string, unknown>;

interface Walk {
  readonly visited: string[];
  /** Null: it has ended. */
  readonly pending: string | null;
  readonly context: Variables;
}

/** Where a run is after these inputs, and its path. */
export function slowWalk(steps: readonly SlowStep[], start: Variables, inputs: readonly SlowInput[]): Walk {
  const context: Variables = { ...start };
  const visited: string[] = [];
  const walk = walkList(steps, context, {}, '', { decision: null });
  let next = walk.next();
  for (const input of inputs) {
    if (next.done) break;
    visited.push(next.value);
    next = walk.next(input);
  }
  return { visited, pending: next.done ? null : next.value, context };
}

interface Pass {
  decision: 'continue' | 'stop' | null;
}

function* walkList(
  list: readonly SlowStep[],
  context: Variables,
  loopVariables: Variables,
  place: string,
  pass: Pass,
): Generator<string, void, SlowInput> {
  const jumps: Record<string, number> = {};
  let at = 0;
  while (at < list.length) {
    const step = list[at] as SlowStep;
    if (step.runCondition && !isTrue(step.runCondition, { ...context, ...loopVariables })) {
      at = at + 1;
      continue;
    }
    if (step.loop) {
      yield* walkLoop(step, context, loopVariables, place);
      at = at + 1;
      continue;
    }
    const input = yield place === '' ? step.id : `${place}::${step.id}`;
    Object.assign(context, input.set);
    if (step.decides) pass.decision = input.decision;
    const jump = step.jumpIf;
    if (
      jump &&
      isTrue(jump.condition, { ...context, ...loopVariables }) &&
      (jumps[step.id] ?? 0) < jump.maxJumps
    ) {
      jumps[step.id] = (jumps[step.id] ?? 0) + 1;
      at = list.findIndex((other) => other.id === jump.target);
      continue;
    }
    at = at + 1;
  }
}

function* walkLoop(
  { id, loop, body = [] }: SlowStep,
  context: Variables,
  outer: Variables,
  place: string,
): Generator<string, void, SlowInput> {
  if (!loop) return;
  const isByArtifact = loop.type === 'while' && loop.condition === undefined;
  for (let n = 0; n < loop.maxIterations; n++) {
    const seen = { ...context, ...outer };
    if (loop.condition && isTrue(loop.condition, seen) !== (loop.type === 'while')) return;
    if (loop.type === 'for' && n >= (loop.count ?? 0)) return;
    if (loop.type === 'forEach' && n >= (seen[loop.items ?? ''] as unknown[]).length) return;
    const pass: Pass = { decision: null };
    const inner = `${place === '' ? '' : `${place}/`}${id}@${n}`;
    yield* walkList(body, context, { ...outer, [loop.iterationVar]: n + 1 }, inner, pass);
    if (isByArtifact && pass.decision === 'stop') return;
  }
}

function isTrue({ var: name, equals, gt }: SlowCondition, variables: Variables): boolean {
  const value = variables[name];
  if (equals !== undefined) return value === equals;
  if (gt !== undefined) return typeof value === 'number' && value > gt;
  return Boolean(value);
}
