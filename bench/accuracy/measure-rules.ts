import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from '../part.ts';
import { droppedTable } from './dropped.ts';
import type { Ground, Operator, Way } from './operator.ts';
import { describeSurprises, tableOf, totalsOf } from './report.ts';
import { type Confirm, type Outcome, score } from './score.ts';
import { type Judge, type Seeded, sow } from './seed.ts';
import { recordSeeded, type SeededWay } from './seeded-data.ts';
import { waysOf } from './ways-of.ts';

/** Scenarios per operator, over all projects. In a small run the type checker gets fewer. */
const perOperator = { small: { none: 6, types: 3 }, full: { none: 15, types: Number.POSITIVE_INFINITY } };

/** Projects of one language, the operators, and the judge. */
export interface Fields<Plan, Where extends Ground> {
  readonly plans: readonly Plan[];
  readonly open: (plan: Plan) => Promise<Where>;
  readonly operators: readonly Operator<Where>[];
  readonly judge: Judge<Where>;
  readonly part: string;
  readonly language: SeededWay['language'];
  /** Scenarios per operator in a small and in a full run, if the numbers differ. */
  readonly scenarios?: { readonly small: number; readonly full: number };
}

/** Runs work in a temporary folder. */
export async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-accuracy-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Seeds each project in turn, checks the kept scenarios, and reports the results. */
export async function measureRules<
  Plan extends { readonly package: string; readonly version: string; readonly heldOut?: boolean },
  Where extends Ground,
>(
  folder: string,
  { plans, open, operators: all, judge, part, language, scenarios }: Fields<Plan, Where>,
  { full, seed, types, rules, dropped, record }: BenchOptions,
): Promise<string> {
  const operators = all.filter(({ rule }) => rules.length === 0 || rules.includes(rule));
  const usual = full ? perOperator.full : perOperator.small;
  const count = scenarios ? { ...usual, none: full ? scenarios.full : scenarios.small } : usual;
  const outcomes: Record<Confirm, Outcome[]> = { none: [], types: [] };
  const cache = join(folder, 'cache');
  const seeded: Seeded[] = [];
  for (const [at, plan] of plans.entries()) {
    const project = await open(plan);
    const dir = join(folder, project.name.replace('/', '+'));
    // Later projects make up for what earlier ones could not offer.
    const share = (operator: Way) =>
      Math.ceil((count.none - keptOf(seeded, operator).length) / (plans.length - at));
    const told = progress(project.name);
    const sown = await sow({ project, operators, judge }, share, seed, dir);
    told('sown');
    const kept = sown.filter(({ rejected }) => rejected === null);
    outcomes.none.push(...(await score(kept, cache, 'none')));
    told('checked');
    if (types) {
      const few = fewer(kept, Math.ceil(count.types / plans.length));
      outcomes.types.push(...(await score(few, cache, 'types')));
      told('checked with types');
    }
    seeded.push(...sown);
    rmSync(dir, { recursive: true, force: true });
  }
  if (record)
    recordSeeded(
      plans.flatMap(({ package: project, heldOut = false }) =>
        operators.flatMap((operator) =>
          waysOf(
            seeded.filter((entry) => entry.operator === operator && entry.project === project),
            outcomes.none,
          ).map((way) => ({ ...way, ...{ part, project, language, heldOut } })),
        ),
      ),
    );
  return [
    `seed ${seed}; projects: ${plans.map(({ package: name, version }) => `${name} ${version}`).join(', ')}`,
    ...(['none', 'types'] as const).flatMap((by) =>
      outcomes[by].length === 0
        ? []
        : [
            '',
            `--confirm ${by}`,
            tableOf(operators, seeded, outcomes[by]),
            totalsOf(outcomes[by]),
            ...describeSurprises(outcomes[by]),
          ],
    ),
    ...(dropped ? ['', droppedTable(seeded)] : []),
  ].join('\n');
}

/** A long run: progress goes to stderr. */
function progress(project: string): (done: string) => void {
  let since = performance.now();
  return (done) => {
    console.error(`${project}: ${done} in ${((performance.now() - since) / 1000).toFixed(0)} s`);
    since = performance.now();
  };
}

function keptOf(seeded: readonly Seeded[], operator: Way): Seeded[] {
  return seeded.filter((entry) => entry.operator === operator && entry.rejected === null);
}

/** The first scenarios of each operator. */
function fewer(kept: readonly Seeded[], each: number): Seeded[] {
  const groups = Map.groupBy(kept, ({ operator }) => operator.name);
  return [...groups.values()].flatMap((group) => group.slice(0, each));
}
