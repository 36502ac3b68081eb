import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#agents/stream/find-json.ts';
import { Plan, planProblems, unknownPlanKeys } from '#schema/plan.ts';
import type { PlanFix } from '#schema/planning.ts';

export interface AppliedFixes {
  readonly plan: Plan;
  readonly applied: readonly PlanFix[];
  /** Fixes that were not applied, with the reason. */
  readonly refused: readonly string[];
}

/** Applies proposed changes to a plan, if each fits the plan and the result is valid. */
export function applyFixes(plan: Plan, fixes: readonly PlanFix[]): AppliedFixes {
  // All together first: one may need another, such as a new task and a dependency on it.
  const together = attempt(plan, fixes, () => null);
  const {
    plan: changed,
    applied,
    refused,
  } = problemsOf(together.plan).length === 0
    ? together
    : attempt(plan, fixes, (after) => problemsOf(after)[0] ?? null);
  return { plan: Plan.parse(changed), applied, refused };
}

function attempt(
  plan: Plan,
  fixes: readonly PlanFix[],
  objection: (plan: unknown) => string | null,
): { readonly plan: unknown; readonly applied: PlanFix[]; readonly refused: string[] } {
  const applied: PlanFix[] = [];
  const refused: string[] = [];
  let current: unknown = plan;
  for (const fix of fixes) {
    const changed = change(current, fix);
    const reason = typeof changed === 'string' ? changed : objection(changed.plan);
    if (typeof changed === 'string' || reason !== null) refused.push(`${nameOf(fix)}: ${reason}`);
    else {
      current = changed.plan;
      applied.push(fix);
    }
  }
  return { plan: current, applied, refused };
}

function nameOf({ task, field }: PlanFix): string {
  return task === null ? field : `task ${task}, ${field}`;
}

function problemsOf(plan: unknown): string[] {
  const parsed = Plan.safeParse(plan);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  return [
    ...unknownPlanKeys(plan).map(({ path }) => `${path.join('.')}: unknown key`),
    ...planProblems(parsed.data),
  ];
}

/** A reason instead of a plan when the fix does not fit. */
function change(plan: unknown, fix: PlanFix): { readonly plan: unknown } | string {
  const tasks = (plan as Plan).tasks;
  if (fix.task === null) return inside(plan, ['contract', 'concerns'], fix);
  const index = tasks.findIndex(({ id }) => id === fix.task);
  if (fix.field === 'task') {
    if (index >= 0) return 'there is such a task already';
    if (!isObject(fix.after)) return 'the new task is not an object';
    return { plan: { ...(plan as Plan), tasks: [...tasks, { ...fix.after, id: fix.task }] } };
  }
  if (index < 0) return 'there is no such task';
  if (fix.field === 'id') return 'the id of a task stays';
  const changed = inside(tasks[index], null, fix);
  return typeof changed === 'string'
    ? changed
    : { plan: { ...(plan as Plan), tasks: tasks.with(index, changed.plan as Plan['tasks'][number]) } };
}

function inside(
  root: unknown,
  allowed: readonly string[] | null,
  { field, before, after }: PlanFix,
): { readonly plan: unknown } | string {
  const path = field.split('.');
  if (allowed && !allowed.includes(path[0] ?? ''))
    return `only ${allowed.join(' and ')} of a plan can be fixed`;
  if (!isPlace(root, path)) return 'there is no such place';
  const current = path.reduce<unknown>(step, root);
  const value = replaced(current, before, after);
  if (value === undefined)
    return `it says ${JSON.stringify(current) ?? 'nothing'}, not ${JSON.stringify(before) ?? 'nothing'}`;
  return { plan: withValue(root, path, value.value) };
}

/** In a list, existing indexes and the next one are valid. */
function isPlace(root: unknown, path: readonly string[]): boolean {
  let value = root;
  for (const key of path) {
    if (Array.isArray(value) && !(/^\d+$/.test(key) && Number(key) <= value.length)) return false;
    value = step(value, key);
  }
  return true;
}

function step(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A part of a text may be replaced if it occurs exactly once. */
function replaced(
  current: unknown,
  before: unknown,
  after: unknown,
): { readonly value: unknown } | undefined {
  const isNothing = (value: unknown) => value === undefined || value === null;
  if (isNothing(current) && isNothing(before)) return { value: after };
  if (isDeepStrictEqual(current, before)) return { value: after };
  if (
    typeof current === 'string' &&
    typeof before === 'string' &&
    typeof after === 'string' &&
    before !== ''
  ) {
    const parts = current.split(before);
    if (parts.length === 2) return { value: parts.join(after) };
  }
  return undefined;
}

function withValue(root: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = withValue(step(root, key), rest, value);
  if (Array.isArray(root))
    return Number(key) === root.length ? [...root, inner] : root.with(Number(key), inner);
  if (!isObject(root)) return /^\d+$/.test(key) ? [inner] : { [key]: inner };
  return { ...root, [key]: inner };
}
