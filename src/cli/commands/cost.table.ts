import type { CommandTable } from '#cli/args/table.ts';

export const costTable = {
  name: 'cost',
  summary: 'show what a run cost: tokens, turns, time and money',
  description:
    'Adds up what the agents of a run spent, by task, attempt and model, from its log alone. Spending of a killed process counts once. Money is what the agent reports, or else tokens times the price of the model; tokens of a model without a known price are listed without money.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or a unique prefix. Default: the newest.' },
  ],
  options: [],
  examples: [
    { command: 'joinery cost', meaning: 'The newest run.' },
    { command: 'joinery cost --json', meaning: 'As JSON: joinery/cost@1.' },
  ],
  exitCodes: { ok: 'Shown.', usage: 'There is no such run.' },
} as const satisfies CommandTable;
