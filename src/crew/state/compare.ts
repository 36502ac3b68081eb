import type { CompareReport } from '#schema/compare.ts';
import { noSpending, rounded } from '#schema/spending.ts';
import { costOfRun } from './cost.ts';
import { finalReportOf } from './final-report.ts';
import type { RunState } from './state.ts';

export interface NamedRun {
  readonly run: string;
  readonly state: RunState;
}

type Pair<T> = readonly [T, T];
type Result = CompareReport['runs'][0]['result'];

/** Two runs side by side, from their logs; facts that only git knows are passed in. */
export function compareRuns(
  pair: Pair<NamedRun>,
  results: Pair<Result>,
  diff: CompareReport['diff'],
): CompareReport {
  const [first, second] = pair;
  return {
    schema: 'joinery/compare@1',
    runs: [runOf(first, results[0]), runOf(second, results[1])],
    tasks: tasksOf(pair),
    findings: findingsOf(pair),
    diff,
  };
}

function runOf({ run, state }: NamedRun, result: Result): CompareReport['runs'][0] {
  const { status, exitCode, cost, landed } = finalReportOf(run, state);
  const { fork } = state;
  return {
    run,
    status,
    reason: state.reason,
    exitCode,
    fork: fork && { from: fork.from, at: fork.at, agent: fork.agent, model: fork.model },
    base: state.base,
    landed: landed?.ref ?? null,
    result,
    cost,
    reused: rounded(fork?.reused ?? noSpending()),
    agentMs: costOfRun(run, state).total.ms,
    wallMs: Date.parse(state.at) - Date.parse(state.createdAt),
  };
}

function tasksOf(pair: Pair<NamedRun>): CompareReport['tasks'] {
  const costs = pair.map(({ run, state }) => costOfRun(run, state).tasks);
  const endOf = (side: number, id: string) => {
    const task = costs[side]?.find((each) => each.id === id);
    if (!task) return null;
    const last = task.attempts.at(-1);
    return {
      status: task.status,
      attempts: task.attempts.length,
      agent: last?.driver ?? null,
      model: last?.model ?? null,
      usd: task.usd,
      tokens: task.tokens,
    };
  };
  const ids = new Set(costs.flatMap((tasks) => tasks.map(({ id }) => id)));
  return [...ids].map((id) => ({ id, ends: [endOf(0, id), endOf(1, id)] }));
}

function findingsOf(pair: Pair<NamedRun>): CompareReport['findings'] {
  const [first, second] = pair.map(({ run, state }) => finalReportOf(run, state).findings);
  // Ids contain branch names, which differ between runs; the cause is the same.
  const keyOf = ({ id, cause }: { id: string; cause?: string | undefined }) => cause ?? id;
  const found = new Map([...(first ?? []), ...(second ?? [])].map((finding) => [keyOf(finding), finding]));
  const endIn = (side: typeof first, key: string) => {
    const finding = side?.find((each) => keyOf(each) === key);
    return finding ? (finding.isFixed ? ('fixed' as const) : ('open' as const)) : ('none' as const);
  };
  return [...found].map(([key, { id, rule, message, owner }]) => ({
    id,
    rule,
    message,
    owner,
    ends: [endIn(first, key), endIn(second, key)],
  }));
}
