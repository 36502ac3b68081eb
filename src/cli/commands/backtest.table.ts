import type { CommandTable } from '#cli/args/table.ts';

export const backtestTable = {
  name: 'backtest',
  summary: 'replay past merges and show what check would have reported',
  description:
    'Takes the newest merge commits of a branch, checks the two sides of each by facts alone, and lists what check would have reported. A finding is marked as repaired when its line changed in the merge itself or within the next 30 commits. Nothing is checked out or written to the repository. Squashed and rebased merges leave no merge commit and are not seen.',
  positionals: [
    {
      name: 'base',
      optional: true,
      description: 'The branch that was merged into. Default: the default branch.',
    },
  ],
  options: [
    {
      name: 'last',
      type: 'string',
      placeholder: 'n',
      default: '50',
      description: 'How many merges, the newest first.',
    },
  ],
  examples: [
    { command: 'joinery backtest', meaning: 'Would check have helped with the last 50 merges?' },
    { command: 'joinery backtest --last 500 --json', meaning: 'More merges, as JSON.' },
  ],
  exitCodes: {
    ok: 'The merges were replayed, with or without findings.',
    usage: 'Not a repository, no such branch, or not a number.',
    environment: 'git is missing or too old.',
  },
  whenInterrupted: 'nothing was changed; the same command continues with what was found so far',
} as const satisfies CommandTable;
