import type { CommandTable } from '#cli/args/table.ts';

export const explainTable = {
  name: 'explain',
  summary: 'explain a rule and how to silence it',
  description:
    'Shows what the rule looks for, an example with two branches, how to fix a finding, and how to accept one in joinery.json.',
  positionals: [{ name: 'rule', description: 'Id or name of a rule: S02 or use-of-renamed-symbol.' }],
  options: [],
  examples: [{ command: 'joinery explain S02', meaning: 'What is use-of-renamed-symbol?' }],
  exitCodes: { ok: 'Shown.', usage: 'There is no such rule.' },
} as const satisfies CommandTable;
