import { join } from 'node:path';
import { ResultStore } from '#check/typecheck/containment/result-store.ts';
import { asObject } from '#lib/json-value.ts';

interface LastRun {
  readonly wallMs: number;
  /** Cases that ran. */
  readonly cases: number;
}

/** Results of test runs on trees, kept in the state folder of a repository. */
export function openSuiteResults(state: string): ResultStore {
  return new ResultStore(join(state, 'suites'));
}

/** The last run of all tests with a command. */
export function lastRunOf(results: ResultStore, command: string): LastRun | null {
  const { wallMs, cases } = asObject(results.read(['last', command]));
  return typeof wallMs === 'number' && typeof cases === 'number' ? { wallMs, cases } : null;
}

export function rememberRun(results: ResultStore, command: string, run: LastRun): void {
  results.write(['last', command], run);
}
