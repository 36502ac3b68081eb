import { filesOf, usedSymbols } from '#planning/decompose/gate.ts';
import { parallelPairs, tasksInOrder } from '#planning/decompose/order.ts';
import type { CodeReading } from '#planning/decompose/reading.ts';
import type { Plan, Task } from '#schema/plan.ts';
import type { Price } from '#schema/planning.ts';

/** Accepted tasks of past runs, from the ledger. */
export interface PastTask {
  readonly tokens: number;
  readonly minutes: number;
}

/** Default cost of one task, used until there are measurements; every price that uses it says so. */
const prior = { tokens: 150_000, minutes: 8 } as const;

/** Fewer tasks than this are not a measurement. */
const enoughSamples = 5;

/** Probability that a shared symbol, or a pair of files that always changed together, leads to a clash. */
const clashOf = { symbol: 0.03, coChange: 0.35 } as const;

/** The cost of parallel and of serial work, and which is cheaper. */
export function pricePlan(plan: Plan, code: CodeReading, past: readonly PastTask[], width: number): Price {
  const isKnown = past.length >= enoughSamples;
  const perTask = isKnown
    ? {
        tokens: median(past.map(({ tokens }) => tokens)),
        minutes: median(past.map(({ minutes }) => minutes)),
      }
    : { ...prior };
  const pairs = parallelPairs(plan.tasks)
    .map(([a, b]) => ({ tasks: [a.id, b.id] as [string, string], ...clashRisk(a, b, code) }))
    .filter(({ probability }) => probability > 0)
    .toSorted((a, b) => b.probability - a.probability);
  const clashProbability = round(1 - pairs.reduce((rest, { probability }) => rest * (1 - probability), 1), 3);
  const expectedClashes = pairs.reduce((sum, { probability }) => sum + probability, 0);
  const count = plan.tasks.length;
  const serial = {
    tokens: Math.round(count * perTask.tokens),
    minutes: round(count * perTask.minutes, 1),
    clashProbability: 0,
  };
  // The task that loses a clash is done again, on top of the other one.
  const turns = rounds(plan, width) + expectedClashes;
  const parallel = {
    tokens: Math.round((count + expectedClashes) * perTask.tokens),
    minutes: round(turns * perTask.minutes, 1),
    clashProbability,
  };
  // Compares rounds: the minutes may be too few to show a difference.
  const isFaster = turns < count;
  return {
    parallel,
    serial,
    basis: isKnown ? 'ledger' : 'prior',
    perTask: { tokens: Math.round(perTask.tokens), minutes: round(perTask.minutes, 1) },
    samples: past.length,
    pairs: pairs.map(({ tasks, probability, why }) => ({ tasks, probability: round(probability, 3), why })),
    recommendation: isFaster ? 'parallel' : 'serial',
    why: explain(plan, pairs, { parallel, serial }, isFaster),
  };
}

/** Number of rounds if every task took the same time and `width` of them ran at once. */
function rounds({ tasks }: Plan, width: number): number {
  const endOf = new Map<string, number>();
  let busy: number[] = [];
  for (const task of tasksInOrder(tasks)) {
    const ready = Math.max(0, ...task.dependsOn.map((id) => endOf.get(id) ?? 0));
    const free = busy.length < width ? 0 : Math.min(...busy);
    const end = Math.max(ready, free) + 1;
    endOf.set(task.id, end);
    if (busy.length >= width) busy = busy.toSorted((a, b) => a - b).slice(1);
    busy.push(end);
  }
  return Math.max(0, ...endOf.values());
}

function clashRisk(a: Task, b: Task, code: CodeReading): { probability: number; why: string } {
  const symbols = sharedSymbols(a, b, code);
  const strongest = strongestCoChange(a, b, code);
  const bySymbols = 1 - (1 - clashOf.symbol) ** symbols.length;
  const byHistory = strongest ? clashOf.coChange * (strongest.together / strongest.atLeast) : 0;
  const reasons = [
    ...(symbols.length > 0
      ? [
          `${symbols.length} shared ${symbols.length === 1 ? 'symbol' : 'symbols'} (${symbols.slice(0, 3).join(', ')})`,
        ]
      : []),
    ...(strongest
      ? [
          `${strongest.a} and ${strongest.b} changed together in ${strongest.together} of ${strongest.atLeast} commits`,
        ]
      : []),
  ];
  return { probability: 1 - (1 - bySymbols) * (1 - byHistory), why: reasons.join('; ') };
}

/**
 * Symbols of one task's files that the other's files use, and symbols of a third file that both use, whatever the tasks declare to change.
 */
function sharedSymbols(a: Task, b: Task, code: CodeReading): string[] {
  const [anyOfA, anyOfB] = [a, b].map(({ changes: _, ...task }) => task) as [Task, Task];
  const used = (task: Task) => {
    const own = new Set(filesOf(task, code));
    return new Set(
      code.uses
        .filter(({ from }) => own.has(from))
        .flatMap(({ to, names }) => names.map((name) => `${to}#${name}`)),
    );
  };
  const [byA, byB] = [used(a), used(b)];
  const both = [...byA].filter((symbol) => byB.has(symbol));
  return [...new Set([...usedSymbols(anyOfA, b, code), ...usedSymbols(anyOfB, a, code), ...both])].sort();
}

/** One or two commits are not a pattern. */
const fewestCommits = 3;

function strongestCoChange(a: Task, b: Task, code: CodeReading) {
  const [ofA, ofB] = [new Set(filesOf(a, code)), new Set(filesOf(b, code))];
  return code.coChanges
    .filter((each) => (ofA.has(each.a) && ofB.has(each.b)) || (ofA.has(each.b) && ofB.has(each.a)))
    .filter((each) => each.atLeast >= fewestCommits)
    .toSorted((x, y) => y.together / y.atLeast - x.together / x.atLeast || y.together - x.together)[0];
}

function explain(
  { tasks }: Plan,
  pairs: readonly { tasks: readonly string[]; why: string }[],
  { parallel, serial }: Pick<Price, 'parallel' | 'serial'>,
  isFaster: boolean,
): string {
  if (tasks.length === 1) return 'there is one task';
  const [worst] = pairs;
  const risk = worst ? `; likeliest clash: ${worst.tasks.join(' and ')} (${worst.why})` : '';
  if (!isFaster) {
    return parallelPairs(tasks).length === 0
      ? 'every task waits for the one before'
      : `clashes would cost the ${serial.minutes} minutes that working side by side saves${risk}`;
  }
  const saved = round(serial.minutes - parallel.minutes, 1);
  return `side by side saves about ${saved} of ${serial.minutes} minutes${risk}`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
