import { defineConfig } from 'vitest/config';
import { untestedFiles } from './scripts/contract-agents.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [
      '**/fixtures/**',
      '**/node_modules/**',
      // Real agents are hundreds of megabytes; `npm test` says when their tests did not run.
      ...untestedFiles(process.env.JOINERY_SOAK === '1'),
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
