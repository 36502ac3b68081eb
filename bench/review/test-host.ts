/**
 * Runs the tests of a folder when it is told which file has changed: started once, Vitest answers in a sixth of the time of a
 * new process. A test that never ends keeps this process running: its parent kills it.
 */
import { join } from 'node:path';
import { createVitest } from 'vitest/node';

export interface TestQuestion {
  /** Below `src/review/`: `triage`. */
  readonly folder: string;
  /** What changed since the last request; null: nothing. */
  readonly changed: string | null;
}

const root = process.argv[2] as string;
const vitest = await createVitest('test', {
  root,
  config: false,
  watch: false,
  bail: 1,
  retry: 0,
  isolate: false,
  maxWorkers: 1,
  pool: 'threads',
  reporters: [{}],
});

process.on('message', async ({ folder, changed }: TestQuestion) => {
  if (changed !== null) vitest.invalidateFile(changed);
  const tests = await vitest.globTestSpecifications([join(root, 'src/review', folder)]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests);
  const isGreen = testModules.length > 0 && testModules.every((each) => each.ok());
  process.send?.(isGreen && unhandledErrors.length === 0);
});
process.on('disconnect', () => process.exit());
