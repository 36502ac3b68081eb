import { isFile } from '#gates/mutants/able-to-fail.ts';
import { failuresOf } from '#gates/run/compare.ts';
import type { SuiteRun } from '#gates/run/lost-tests.ts';
import { hasTitle } from '#tests/results/passed-names.ts';

/** The result of one test in a run. `unknown`: the run gives no reliable answer. */
export type CaseResult =
  | { readonly kind: 'pass' | 'fail' }
  | { readonly kind: 'unknown'; readonly reason: string };

const unknown = (reason: string): CaseResult => ({ kind: 'unknown', reason });

/** The result of one test in a run of its file, or of the whole suite. Fails closed: what the output does not say is unknown. */
export function judgeCase(
  run: SuiteRun,
  { path, id }: { readonly path: string; readonly id: string },
): CaseResult {
  if (run.outcome === 'timeout') return unknown('it did not end in time');
  if (run.outcome !== 'exited') return unknown('the test command could not be run');
  const { tests, exitCode } = run;
  if (tests === null)
    return unknown(`its output does not say which tests ran (exit code ${exitCode ?? 'none'})`);
  const title = id.split(' > ').at(-1) ?? id;
  const isCase = (name: string) => hasTitle(name, title);
  if (tests.failing.some((name) => isCase(name) || isFile(name, path))) return { kind: 'fail' };
  if (failuresOf(run) === null) return unknown('its output does not name every test that failed');
  if (exitCode !== 0 && tests.failed === 0)
    return unknown(`no test failed, but the exit code is ${exitCode ?? 'none'}`);
  if (tests.passed === 0) return unknown('no test ran');
  const hasNames = run.passing !== null && run.passing.length === tests.passed;
  if (hasNames && !run.passing?.some(isCase)) return unknown('it was not run');
  return { kind: 'pass' };
}

/** The name of the test in its runner's output of a failing run, without the file; the name in the code where none fits. */
export function printedName(
  { tests }: SuiteRun,
  { path, id }: { readonly path: string; readonly id: string },
): string {
  const title = id.split(' > ').at(-1) ?? id;
  const name = tests?.failing.find((each) => hasTitle(each, title));
  if (name === undefined) return id;
  return name.startsWith(path) ? name.slice(path.length).replace(/^( > |::| )/, '') : name;
}
