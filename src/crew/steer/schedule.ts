import { hasModelTrouble } from '#crew/state/fallback.ts';
import { unpricedModels } from '#crew/state/ledger.ts';
import { isSettled, type RunState, type StepState } from '#crew/state/state.ts';
import type { Plan } from '#schema/plan.ts';

/** Tasks in the order in which they should start: those with the longest chain of dependents first. */
export function startOrder(plan: Plan): string[] {
  const dependants = new Map<string, string[]>(plan.tasks.map((task) => [task.id, []]));
  const open = new Map<string, number>();
  for (const task of plan.tasks) {
    for (const dependency of new Set(task.dependsOn)) dependants.get(dependency)?.push(task.id);
  }
  for (const [id, list] of dependants) open.set(id, list.length);
  const length = new Map<string, number>();
  const dependencies = new Map(plan.tasks.map((task) => [task.id, new Set(task.dependsOn)]));
  // From the leaves up: a task's length is known once those of all its dependants are known.
  const known = plan.tasks.filter((task) => open.get(task.id) === 0).map((task) => task.id);
  for (let id = known.pop(); id !== undefined; id = known.pop()) {
    const behind = (dependants.get(id) ?? []).map((next) => length.get(next) ?? 0);
    length.set(id, 1 + behind.reduce((longest, value) => Math.max(longest, value), 0));
    for (const dependency of dependencies.get(id) ?? []) {
      const left = (open.get(dependency) ?? 0) - 1;
      open.set(dependency, left);
      if (left === 0) known.push(dependency);
    }
  }
  const position = new Map(plan.tasks.map((task, index) => [task.id, index]));
  return plan.tasks
    .map((task) => task.id)
    .sort(
      (a, b) =>
        (length.get(b) ?? 0) - (length.get(a) ?? 0) || (position.get(a) ?? 0) - (position.get(b) ?? 0),
    );
}

/**
 * What to start now. `inFlight` are the tasks running in this process; a task that an earlier process left unfinished comes
 * before new ones. A task waits while another one changes one of its files.
 */
export function tasksToStart(
  state: RunState,
  order: readonly string[],
  inFlight: ReadonlySet<string>,
  /** Those of them that wait for others and do not count towards the limit. */
  waiting: ReadonlySet<string> = new Set(),
): string[] {
  const chosen: string[] = [];
  let free = state.settings.parallel - inFlight.size + waiting.size;
  if (free <= 0) return chosen;
  const held = new HeldFiles();
  for (const id of inFlight) held.add(state.steps.get(id)?.task.files ?? []);
  const candidates = [
    ...order.filter((id) => isUnderWay(state.steps.get(id))),
    ...(state.isHalted ? [] : order.filter((id) => state.steps.get(id)?.status === 'ready')),
  ];
  for (const id of candidates) {
    if (free === 0) break;
    const files = state.steps.get(id)?.task.files ?? [];
    if (inFlight.has(id) || held.overlaps(files)) continue;
    held.add(files);
    chosen.push(id);
    free -= 1;
  }
  return chosen;
}

function isUnderWay(step: StepState | undefined): boolean {
  return step !== undefined && ['running', 'submitted', 'checking', 'revising'].includes(step.status);
}

export interface Halt {
  readonly failed: number;
  readonly settled: number;
  readonly reason?: string;
}

/**
 * Halts the run when more attempts would probably be wasted: too many of the ended tasks failed, or the model failed and
 * there is no smaller one.
 */
export function shouldHalt(state: RunState): Halt | null {
  if (state.isHalted || state.isHaltWaived) return null;
  const steps = [...state.steps.values()];
  if (!steps.some((step) => step.status === 'ready')) return null;
  const settled = steps.filter((step) => isSettled(step) && step.status !== 'skipped');
  const bad = settled.filter((step) => step.status !== 'accepted');
  const counts = { failed: bad.length, settled: settled.length };
  const { halt, fallback } = state.settings;
  const [unpriced] = state.budget.usd === null ? [] : unpricedModels(state);
  if (unpriced !== undefined) return { ...counts, reason: noPrice(unpriced) };
  if (bad.length >= halt.minFailures && bad.length >= halt.ratio * settled.length) return counts;
  const helpless = bad.find(({ attempts }) => {
    const last = attempts.at(-1);
    return fallback === 'tier-down' && last !== undefined && hasModelTrouble(last);
  });
  return helpless
    ? { ...counts, reason: `no smaller model is left for task ${helpless.task.id}: ${helpless.reason}` }
    : null;
}

/** A limit in dollars that cannot be enforced is reported. */
function noPrice(model: string): string {
  const which = model === '' ? 'a model without a name' : model;
  return `the price of ${which} is unknown, so the budget in dollars cannot be kept (set "prices" in joinery.json, or a budget of tokens)`;
}

/** Paths being changed; a folder means everything in it. */
class HeldFiles {
  readonly #paths = new Set<string>();
  readonly #ancestors = new Set<string>();

  add(files: readonly string[]): void {
    for (const file of files.map(normalise)) {
      this.#paths.add(file);
      for (const folder of ancestors(file)) this.#ancestors.add(folder);
    }
  }

  overlaps(files: readonly string[]): boolean {
    return files
      .map(normalise)
      .some(
        (file) =>
          this.#paths.has(file) ||
          this.#ancestors.has(file) ||
          ancestors(file).some((folder) => this.#paths.has(folder)),
      );
  }
}

/** One spelling per path. Case is folded: on some file systems `A.ts` and `a.ts` are one file. */
function normalise(path: string): string {
  return path
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.')
    .join('/')
    .toLowerCase();
}

function ancestors(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
