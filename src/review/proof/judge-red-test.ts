import type { Verification } from '#schema/triage.ts';

/** One run of one test, as Joinery's runner recorded it. */
export interface TestRun {
  readonly outcome: string;
  readonly exitCode: number | null;
  readonly tests: { readonly passed: number; readonly failed: number } | null;
  readonly log: string;
}

/** The test failed before it reached an assertion. */
const broken =
  /\b(SyntaxError|ReferenceError|ModuleNotFoundError|ImportError|NameError|IndentationError)\b|Cannot find (module|package)|ERR_MODULE_NOT_FOUND|Failed to (resolve import|load url)|error TS\d+|Transform failed|No test (suite )?found|collected 0 items|ERROR collecting|fixture '\w+' not found|timed out in \d+\s?ms|Test timed out|does not provide an export/;

const asserted =
  /\bAssertionError\b|\bERR_ASSERTION\b|\bexpect\(.{0,300}\)\.|\bExpected\b[\s\S]{0,200}\bReceived\b|^E\s+assert\b|\bassertion (failed|`)|\bassert\w*\b.{0,300}\bfailed\b/m;

/** Whether a test shows the defect it was written for. Only a failed assertion does. */
export function judgeRedTest({ outcome, exitCode, tests, log }: TestRun): Omit<Verification, 'test'> {
  if (outcome !== 'exited') return { result: 'inconclusive', note: `the test did not end: ${outcome}` };
  if (tests === null || tests.passed + tests.failed === 0)
    return { result: 'inconclusive', note: 'no test was run' };
  if (exitCode === 0 && tests.failed === 0) return { result: 'not_reproduced', note: 'the test passes' };
  const fault = broken.exec(log)?.[0];
  if (fault !== undefined) return { result: 'inconclusive', note: `the test is broken: ${fault}` };
  if (tests.failed > 0 && exitCode !== 0 && asserted.test(log))
    return { result: 'confirmed', note: 'an assertion fails' };
  return { result: 'inconclusive', note: 'the test fails, and no assertion says why' };
}
