import type { SuiteRun } from '#gates/run/lost-tests.ts';
import type { CaseReport } from '#tests/results/cases.ts';

/** A run of a project's tests on one tree, by the names of its cases. */
export type CaseRun = Pick<SuiteRun, 'outcome' | 'exitCode'> & {
  readonly report: CaseReport;
  /** The runner waits for changes of files instead of ending. */
  readonly waits?: boolean;
};

/** A case, a file or the command itself that is red: `test/a.test.js > adds`, `test/b.test.js`, `(exit code 1)`. */
export type RedId = string;

export type SuiteReading =
  | { readonly kind: 'green'; readonly cases: number }
  | { readonly kind: 'red'; readonly red: readonly RedId[] }
  /** It is no evidence, and why. */
  | { readonly kind: 'none'; readonly reason: string };

/** What one run says. It counts only if the runner names at least one case that ran. */
export function readSuite(run: CaseRun, limitMs: number): SuiteReading {
  const { outcome, exitCode, report, waits } = run;
  if (waits) return { kind: 'none', reason: 'its runner waits for changes instead of ending: it was ended' };
  if (outcome === 'timeout') return { kind: 'none', reason: `it did not end within ${minutes(limitMs)}` };
  if (outcome !== 'exited') return { kind: 'none', reason: 'it could not be run' };
  if (exitCode === 126 || exitCode === 127) return { kind: 'none', reason: 'it is not installed' };
  const red = redIn(run);
  if (red.length > 0) return { kind: 'red', red };
  const ran = report.cases.filter(({ outcome: how }) => how !== 'skipped').length;
  return ran === 0
    ? { kind: 'none', reason: 'its runner names no test that ran' }
    : { kind: 'green', cases: ran };
}

/** Failing cases, files that could not be loaded; where neither explains the exit code, that. */
export function redIn({ exitCode, report }: CaseRun): RedId[] {
  const named = [
    ...report.cases.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id),
    ...report.unloaded.map(({ file }) => file),
  ];
  return named.length > 0 || exitCode === 0 ? [...new Set(named)] : [`(exit code ${exitCode ?? 'none'})`];
}

/** How one case is on a tree: `absent` also when its file could not be loaded or nothing ran. */
export function stateOf(id: RedId, run: CaseRun): 'green' | 'red' | 'absent' {
  const { outcome, exitCode, report } = run;
  if (outcome !== 'exited') return 'absent';
  if (id.startsWith('(exit code')) return exitCode === 0 ? 'green' : 'red';
  const own = report.cases.find((each) => each.id === id);
  if (own !== undefined)
    return own.outcome === 'passed' ? 'green' : own.outcome === 'failed' ? 'red' : 'absent';
  // The id of a file: it is green where it loads and a case of it passes.
  if (report.unloaded.some(({ file }) => file === id)) return 'red';
  return report.cases.some(({ file, outcome: how }) => file === id && how === 'passed') ? 'green' : 'absent';
}

export function isFileId(id: RedId, run: CaseRun): boolean {
  return run.report.unloaded.some(({ file }) => file === id);
}

/** `12 of 340 files could not be loaded: cannot find dep`. */
export function unloadedText({ report: { cases, unloaded } }: CaseRun): string {
  const files = new Set([...cases.flatMap(({ file }) => file ?? []), ...unloaded.map(({ file }) => file)]);
  const [first] = unloaded;
  const reason = first === undefined || first.reason === '' ? '' : `: ${first.reason}`;
  const which = unloaded.length === 1 ? ` (${first?.file})` : '';
  return `${unloaded.length} of ${files.size} test files could not be loaded${which}${reason}`;
}

function minutes(ms: number): string {
  return ms < 60_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} minutes`;
}
