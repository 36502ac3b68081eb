import type { CommandTable } from '#cli/args/table.ts';

export const costTable = {
  name: 'cost',
  summary: 'show what a run cost: tokens, turns, time and money',
  description:
    'Adds up what the agents of a run spent, by task and attempt and by model, from its log alone: what a killed process had spent counts once. Money is what the agent reports, else tokens at the price of its model; tokens of a model without a price are shown as such.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or its beginning. Default: the newest.' },
  ],
  options: [],
  examples: [
    { command: 'joinery cost', meaning: 'The newest run.' },
    { command: 'joinery cost --json', meaning: 'For a program: joinery/cost@1.' },
  ],
  exitCodes: { usage: 'There is no such run.' },
} as const satisfies CommandTable;
