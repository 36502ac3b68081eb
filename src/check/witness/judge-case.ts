import { isFile } from '#gates/mutants/able-to-fail.ts';
import { failuresOf } from '#gates/run/compare.ts';
import type { SuiteRun } from '#gates/run/lost-tests.ts';
import { hasTitle } from '#tests/results/passed-names.ts';

/** What a run says of one test. `unknown`: it says nothing that can be relied on. */
export type CaseResult =
  | { readonly kind: 'pass' | 'fail' }
  | { readonly kind: 'unknown'; readonly reason: string };

const unknown = (reason: string): CaseResult => ({ kind: 'unknown', reason });

/** One test in a run of its file, or of the whole suite. Fails closed: what the output does not say is not known. */
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

/** The test as its runner calls it in a run where it fails, without the file; as the code has it where no name fits. */
export function printedName(
  { tests }: SuiteRun,
  { path, id }: { readonly path: string; readonly id: string },
): string {
  const title = id.split(' > ').at(-1) ?? id;
  const name = tests?.failing.find((each) => hasTitle(each, title));
  if (name === undefined) return id;
  return name.startsWith(path) ? name.slice(path.length).replace(/^( > |::| )/, '') : name;
}
