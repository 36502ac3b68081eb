import { failuresOf } from '#gates/run/compare.ts';
import type { SuiteRun } from '#gates/run/lost-tests.ts';
import { changedLines } from '#lib/changed-lines.ts';
import { isTestCode } from '#tests/code/test-path.ts';
import { type Mutant, mutableLanguageOf, mutantsOf } from '#tests/mutate/mutants-of.ts';
import { hasTitle } from '#tests/results/passed-names.ts';
import type { ChangedCase, ChangedText } from './changed-cases.ts';

/** Limits for showing that the tests of an attempt can fail. */
const mostMutants = 20;
const mostCpuMs = 60_000;

export interface FileMutant extends Mutant {
  readonly path: string;
}

/** Runs the suite of the work on other sources than its own; null if that was cancelled. */
export interface OtherPlaces {
  /** On the sources of base. */
  onBase(): Promise<TrialRun | null>;
  withMutant(mutant: FileMutant): Promise<TrialRun | null>;
}

export interface TrialRun extends SuiteRun {
  readonly cpuMs: number;
}

/**
 * The new or rewritten tests that were never shown to be able to fail: they pass on the sources of base, and with every
 * mutant of the changed lines. A test that no broken source can fail checks nothing.
 */
export async function notAbleToFail(
  cases: readonly ChangedCase[],
  texts: readonly ChangedText[],
  places: OtherPlaces,
): Promise<ChangedCase[]> {
  if (cases.length === 0) return [];
  const base = await places.onBase();
  if (base === null) return [...cases];
  let left = withoutTroubled(cases, base, true);
  let spent = 0;
  for (const mutant of left.length === 0 ? [] : await mutantsOfChange(texts)) {
    if (left.length === 0 || spent >= mostCpuMs) break;
    const run = await places.withMutant(mutant);
    if (run === null) break;
    spent += run.cpuMs;
    left = withoutTroubled(left, run, false);
  }
  return left;
}

/** Every file gets its share: the first mutant of each, then the second of each, until there are enough. */
export async function mutantsOfChange(texts: readonly ChangedText[]): Promise<FileMutant[]> {
  const files: FileMutant[][] = [];
  for (const { path, before, after } of texts) {
    const language = mutableLanguageOf(path);
    if (language === null || after === null || isTestCode(path)) continue;
    const lines = new Set(changedLines(before ?? '', after).added.map(({ line }) => line));
    const mutants = await mutantsOf(after, language, lines, mostMutants);
    files.push(mutants.map((mutant) => ({ ...mutant, path })));
  }
  const rounds = Array.from({ length: mostMutants }, (_, round) =>
    files.flatMap((file) => file[round] ?? []),
  );
  return rounds.flat().slice(0, mostMutants);
}

/** If nothing could be counted, or a whole file failed, none of its tests passed. */
function withoutTroubled(cases: readonly ChangedCase[], run: SuiteRun, isBase: boolean): ChangedCase[] {
  if (run.outcome !== 'exited') return [...cases];
  if (run.tests === null) return isBase && run.exitCode !== 0 && run.exitCode !== null ? [] : [...cases];
  const failing = [...(failuresOf(run) ?? run.tests.failing)];
  const passing = run.tests.hasAllNames && run.passing?.length === run.tests.passed ? run.passing : null;
  const hasFailures = run.tests.failed > 0 || run.exitCode !== 0;
  return cases.filter(({ path, id }) => {
    const title = id.split(' > ').at(-1) ?? id;
    if (failing.some((name) => hasTitle(name, title) || isFile(name, path))) return false;
    return !(hasFailures && passing !== null && !passing.some((name) => hasTitle(name, title)));
  });
}

/**
 * A file that cannot be loaded is listed itself, without a test: `tests/sum.test.ts`, `tests/test_sum.py - ImportError`,
 * `tests.test_sum (unittest.loader._FailedTest)`.
 */
export function isFile(name: string, path: string): boolean {
  const [first = '', next] = name.split(/\s+/);
  if (next?.startsWith('(unittest.loader._FailedTest'))
    return `.${path.replace(/\.[^./]*$/, '').replaceAll('/', '.')}`.endsWith(`.${first}`);
  return (first === path || first.endsWith(`/${path}`)) && !/^[>›]/.test(next ?? '');
}
