import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { root } from './scripts/root.ts';
import { SlowFirst } from './scripts/slow-first.ts';
import { suiteNamed, unitTests } from './scripts/suites.ts';

const { JOINERY_SUITE: name } = process.env;
const suite = name === undefined ? unitTests : suiteNamed(name);

export default defineConfig({
  test: {
    include: [...suite.include],
    exclude: ['**/fixtures/**', '**/node_modules/**', ...suite.exclude],
    ...(suite.relatedTo === undefined ? {} : { related: [join(root, suite.relatedTo)] }),
    sequence: { sequencer: SlowFirst },
    // Most tests wait for processes they have started: one more keeps all cores busy meanwhile.
    maxWorkers: availableParallelism() + 1,
    env: {
      // Hundreds of tests start the command in a cache folder of their own; V8 compiles it once for all of them.
      // Hundreds of tests start programs that write where the test looks. Real agents run as a person's do.
      JOINERY_SANDBOX: name === 'agents' ? '' : 'off',
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
    },
    // The system may refuse a process while others take all memory. What needs a second try is marked in the output;
    // soak gives none.
    retry: suite.sizes === 'soak' ? 0 : 1,
    // Against tests that hang. A busy machine may need many times as long as a quiet one, and so do larger samples.
    testTimeout: suite.sizes === 'normal' ? 240_000 : 1_200_000,
    hookTimeout: 240_000,
  },
});
