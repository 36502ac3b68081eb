import { distinct, sumWords, type TestReader } from './reading.ts';

const words = { passed: /^(passed|pass)$/, failed: /^(failed|fail)$/, skipped: /^(skipped|todo|pending)$/ };

const vitestTests =
  /^\s*Tests\s{2,}((?:\d+ (?:failed|passed|skipped|todo|expected fail)(?: \| )?)+ \(\d+\)|no tests)$/;
const vitestErrors = /^\s*Errors\s{2,}(\d+) errors?$/;
const vitestNoFiles = /^No test files found, exiting with code \d+$/;

export const vitest: TestReader = {
  name: 'vitest',
  read(lines) {
    const used = lines.flatMap((line, index) =>
      vitestTests.test(line) || vitestNoFiles.test(line) ? [index] : [],
    );
    if (used.length === 0) return null;
    const sums = sumWords(used.map((at) => vitestTests.exec(lines[at] ?? '')?.[1]).join(' | '), words);
    const errors = lines.reduce((sum, line) => sum + Number(vitestErrors.exec(line)?.[1] ?? 0), 0);
    const names = lines.flatMap(
      (line) => /^ ?FAIL {1,2}(\S.* > .*|\S(?=.* \[ ).* \])$/.exec(line)?.[1] ?? [],
    );
    // A file that could not be loaded appears as `file [ file ]` and is not among the tests.
    const broken = names.filter((name) => / \[ .{0,500} \]$/.test(name)).length;
    const unhandled = errors > 0 ? ['(unhandled error)'] : [];
    return {
      ...sums,
      failed: sums.failed + broken + unhandled.length,
      failing: [...distinct(names), ...unhandled],
      used,
    };
  },
};

const jestTests = /^Tests:\s+((?:\d+ (?:failed|skipped|todo|passed), )*)\d+ total$/;
const jestNoTests = /^No tests found, exiting with code \d+$/;
const jestNoise = /^(Console|Validation Warning|Deprecation Warning|Multiple configurations found)/;
const cannotRun = 'Test suite failed to run';

export const jest: TestReader = {
  name: 'jest',
  read(lines) {
    const used = lines.flatMap((line, index) =>
      jestTests.test(line) || jestNoTests.test(line) ? [index] : [],
    );
    if (used.length === 0) return null;
    const sums = sumWords(used.map((at) => jestTests.exec(lines[at] ?? '')?.[1]).join(', '), words);
    // With many files Jest repeats all failures at the end.
    const repeated = lines.indexOf('Summary of all failing tests');
    const names: string[] = [];
    let file = '';
    for (const line of lines.slice(Math.max(0, repeated))) {
      file = /^\s*FAIL +(?:\S+ )?(\S+?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file;
      const name = /^ {2}● (.+)$/.exec(line)?.[1];
      if (name && !jestNoise.test(name)) names.push(`${file} > ${name}`);
    }
    const broken = names.filter((name) => name.endsWith(` > ${cannotRun}`)).length;
    return { ...sums, failed: sums.failed + broken, failing: distinct(names), used };
  },
};

const mochaLine = /^\s+(\d+) (passing|pending|failing)(?: \([\d.]+m?s?\))?$/;

export const mocha: TestReader = {
  name: 'mocha',
  read(lines) {
    const used = lines.flatMap((line, index) => (mochaLine.test(line) ? [index] : []));
    if (!used.some((at) => lines[at]?.includes('passing'))) return null;
    const count = (word: string) =>
      used.reduce((sum, at) => {
        const [, number, what] = mochaLine.exec(lines[at] ?? '') ?? [];
        return sum + (what === word ? Number(number) : 0);
      }, 0);
    const failed = count('failing');
    const list = lines.findIndex((line) => / failing$/.test(line));
    return {
      passed: count('passing'),
      failed,
      skipped: count('pending'),
      failing: failed > 0 ? distinct(mochaNames(lines.slice(list + 1))) : [],
      used,
    };
  },
};

/** `1) suite`, then deeper and deeper, until the line that ends with a colon. */
function mochaNames(lines: readonly string[]): string[] {
  const names: string[] = [];
  let parts: string[] | null = null;
  for (const line of lines) {
    const first = /^ {2}\d+\) (.+)$/.exec(line)?.[1];
    if (first !== undefined) parts = [first];
    else if (parts && /^ {7,}\S/.test(line)) parts.push(line.trim());
    if (!parts?.at(-1)?.endsWith(':')) continue;
    names.push(parts.join(' > ').slice(0, -1));
    parts = null;
  }
  return names;
}

const nodeLine = /^(?:ℹ|#) (tests|pass|fail|cancelled|skipped|todo) (\d+)$/;

/** `node --test` with the spec reporter. */
export const nodeSpec: TestReader = {
  name: 'node-spec',
  read(lines) {
    const used = lines.flatMap((line, index) => (nodeLine.test(line) && line.startsWith('ℹ') ? [index] : []));
    const count = (word: string) =>
      used.reduce((sum, at) => {
        const [, what, number] = nodeLine.exec(lines[at] ?? '') ?? [];
        return sum + (what === word ? Number(number) : 0);
      }, 0);
    if (!used.some((at) => lines[at]?.startsWith('ℹ pass'))) return null;
    const names: string[] = [];
    let file: string | null = null;
    for (const line of lines) {
      file = /^test at (.+?):\d+:\d+$/.exec(line)?.[1] ?? file;
      const name = file === null ? undefined : /^✖ (.+?) \([\d.]+ms\)/.exec(line)?.[1];
      if (name === undefined) continue;
      names.push(`${file} > ${name}`);
      // The same mark precedes suites and the list above; only the line after its place is a failing test.
      file = null;
    }
    return {
      passed: count('pass'),
      failed: count('fail') + count('cancelled'),
      skipped: count('skipped') + count('todo'),
      failing: distinct(names),
      used,
    };
  },
};
