import { z } from 'zod';
import type { TestReader } from './reading.ts';

/** Defined by Jest; vitest writes the same. */
const Document = z.object({
  numTotalTests: z.number(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number().default(0),
  numTodoTests: z.number().default(0),
  numRuntimeErrorTestSuites: z.number().default(0),
  testResults: z
    .array(
      z.object({
        name: z.string().default(''),
        status: z.string().optional(),
        assertionResults: z.array(
          z.object({
            ancestorTitles: z.array(z.string()).default([]),
            title: z.string().default(''),
            status: z.string(),
          }),
        ),
      }),
    )
    .default([]),
});

/** `jest --json`, `vitest --reporter=json`: one document on one line. */
export const jestJson: TestReader = {
  name: 'jest-json',
  read(lines) {
    const sums = { passed: 0, failed: 0, skipped: 0 };
    const failing: string[] = [];
    const passing: string[] = [];
    const used: number[] = [];
    for (const [index, line] of lines.entries()) {
      const document = line.includes('"numTotalTests"') ? parse(line) : null;
      if (!document) continue;
      // A file that could not run has no failing tests, but is still a failure.
      const broken = document.testResults.filter(
        ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
      );
      sums.passed += document.numPassedTests;
      sums.failed += document.numFailedTests + broken.length;
      sums.skipped += document.numPendingTests + document.numTodoTests;
      failing.push(...namesIn(document, 'failed'), ...broken.map(({ name }) => name));
      passing.push(...namesIn(document, 'passed'));
      used.push(index);
    }
    return used.length === 0 ? null : { ...sums, failing, passing, used };
  },
};

function parse(line: string): z.infer<typeof Document> | null {
  try {
    return Document.parse(JSON.parse(line.slice(line.indexOf('{'))));
  } catch {
    return null;
  }
}

function namesIn({ testResults }: z.infer<typeof Document>, wanted: 'passed' | 'failed'): string[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === wanted)
      .map(({ ancestorTitles, title }) => [name, ...ancestorTitles, title].join(' > ')),
  );
}
