import { defineConfig } from 'vitest/config';
import { contractAgents, isInstalled } from './scripts/contract-agents.ts';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [
      '**/fixtures/**',
      '**/node_modules/**',
      // Real agents are hundreds of megabytes; `npm test` says when their tests did not run.
      ...contractAgents.filter((name) => !isInstalled(name)).map((name) => `test/contract/${name}*.test.ts`),
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
