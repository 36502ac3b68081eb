export interface StepResult {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

/** The used part of vitest's JSON report. */
export interface TestResults {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly TestFileResult[];
}

interface TestFileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[] | null;
  }[];
}

interface Session {
  /** Missing requirements of this suite; then nothing was run. */
  readonly missing: readonly string[];
  readonly steps: readonly StepResult[];
  /** Null if the test run ended before it could report. */
  readonly results: TestResults | null;
  /** Of the test files with failures that ran once more, alone; null: none did. */
  readonly second?: TestResults | null;
  /** One line per sampled guarantee: what was drawn, and how many. */
  readonly samples: readonly string[];
  readonly seed: string;
  readonly sizes: string;
  /** The other suites: what this one does not run. */
  readonly elsewhere: readonly { readonly command: string; readonly runs: string }[];
}

/** The last line counts tests; a failed step without a failed test adds one failure. */
export function summarise(session: Session): { text: string; passed: number; failed: number } {
  const { missing, steps, samples, seed, sizes, elsewhere } = session;
  const { results, unsteady } = afterSecond(session.results, session.second ?? null);
  const passed = results?.numPassedTests ?? 0;
  const skipped = (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0);
  // No test of such a file failed: the file could not be loaded, or its setup failed.
  const brokenFiles =
    results?.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
    ) ?? [];
  const failedTests = (results?.numFailedTests ?? 0) + brokenFiles.length;
  const areExplained = failedTests + unsteady.length > 0;
  const failedSteps = steps.filter((step) => !step.ok && !(testSteps.includes(step.name) && areExplained));
  const nothingRan = passed + failedTests === 0 && failedSteps.length === 0 && missing.length === 0;
  const failed = missing.length + failedTests + failedSteps.length + (nothingRan ? 1 : 0);

  const lines = [
    ...steps.map(
      ({ name, ok, seconds }) => `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(16)}${seconds.toFixed(1)} s`,
    ),
    `sampled guarantees: seed ${seed}, ${sizes} sizes${samples.length === 0 ? ', none drawn' : ''}`,
    ...[...new Set(samples)].sort().map((line) => `  ${line}`),
    ...unsteady.map((name) => `unsteady: ${name}: failed among all tests, passed when its file ran alone`),
    ...(results?.testResults.flatMap(failuresOf) ?? []),
    ...brokenFiles.map((file) => `could not be run: ${file.name}\n${indented(file.message)}`),
    ...missing.map((line) => `FAILED  ${line}`),
    ...elsewhere.map(({ command, runs }) => `also: ${command.padEnd(21)} ${runs}`),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(nothingRan ? ['no test ran'] : []),
    `${passed} passed, ${failed} failed`,
  ];
  return { text: lines.join('\n'), passed, failed };
}

/** Steps that run tests: their failures are counted by test. */
const testSteps: readonly string[] = ['tests', 'red files alone'];

/** Test files with a failed test, or that could not be run. */
export function redFiles(results: TestResults | null): string[] {
  return (results?.testResults ?? []).filter(({ status }) => status === 'failed').map(({ name }) => name);
}

/** The results of the second run replace those of the first for the files it ran. */
function afterSecond(
  first: TestResults | null,
  second: TestResults | null,
): { readonly results: TestResults | null; readonly unsteady: readonly string[] } {
  if (first === null || second === null) return { results: first, unsteady: [] };
  const again = new Map(second.testResults.map((file) => [file.name, file]));
  const testResults = first.testResults.map((file) => again.get(file.name) ?? file);
  const countOf = (wanted: string) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted)
      .length;
  const unsteady = first.testResults.flatMap((file) =>
    again.get(file.name)?.status === 'passed' ? [namesOfFailed(file).join(', ')] : [],
  );
  return {
    results: {
      ...first,
      testResults,
      numPassedTests: countOf('passed'),
      numFailedTests: countOf('failed'),
    },
    unsteady,
  };
}

function namesOfFailed({ name, assertionResults }: TestFileResult): string[] {
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  return failed.length === 0 ? [name] : failed.map(({ fullName }) => `${name} > ${fullName}`);
}

/** Repeated at the very end, because logs are read from there. */
function failuresOf(file: TestFileResult): string[] {
  return file.assertionResults
    .filter(({ status }) => status === 'failed')
    .map(
      ({ fullName, failureMessages }) =>
        `failed: ${file.name} > ${fullName}\n${indented(failureMessages?.join('\n') ?? '')}`,
    );
}

function indented(message: string): string {
  const lines = message.split('\n').slice(0, 12);
  return lines.map((line) => `    ${line.slice(0, 1000)}`).join('\n');
}
