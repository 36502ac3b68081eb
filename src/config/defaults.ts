import type { Config } from './settings.ts';

/** What the schema makes of an empty file, for commands that have no need to load it. */
export const configDefaults: Config = {
  strict: false,
  confirm: 'types',
  checkers: { timeoutSeconds: 120 },
  ignore: [],
  rules: {},
  python: { roots: [] },
  cache: { maxBytes: 2 * 1024 ** 3 },
  run: {
    parallel: 4,
    autonomy: 'interactive',
    attemptMinutes: 30,
    inactivityMinutes: 10,
    maxAgents: 16,
    fallback: 'tier-down',
    protected: [],
  },
  agents: {},
  mcpServers: {},
  budget: {},
  prices: {},
  planning: { warnLines: 3000, failLines: 6000, maxTasks: 10 },
  worktree: { folders: ['node_modules'], mode: 'auto' },
  gates: { subsystems: {}, timeoutSeconds: 600, logBytes: 16 * 1024 ** 2 },
  grounding: {
    checks: {},
    undeclared: 2,
    amendments: 5,
    untested: [],
    testsFor: [],
    protect: [],
    notSecret: [],
  },
};
