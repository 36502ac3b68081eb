/** Settings that can be set outside the project, each with its variable. */
export const configVariables = {
  base: 'JOINERY_BASE',
  block: 'JOINERY_BLOCK',
  confirm: 'JOINERY_CONFIRM',
  'checkers.timeoutSeconds': 'JOINERY_CHECKER_TIMEOUT',
  'cache.maxBytes': 'JOINERY_CACHE_MAX_BYTES',
  'run.parallel': 'JOINERY_PARALLEL',
  'run.autonomy': 'JOINERY_AUTONOMY',
  'run.agent': 'JOINERY_AGENT',
  'run.land': 'JOINERY_LAND',
  'run.maxAgents': 'JOINERY_MAX_AGENTS',
  'run.workflow': 'JOINERY_WORKFLOW',
  'budget.usd': 'JOINERY_BUDGET_USD',
  'budget.tokens': 'JOINERY_BUDGET_TOKENS',
} as const;

/** Dotted path of such a setting. */
export type ConfigKey = keyof typeof configVariables;
