import type { CommandTable } from '#cli/args/table.ts';

export const backtestTable = {
  name: 'backtest',
  summary: 'replay past merges: what would check have said?',
  description:
    'Takes the last merge commits of a branch, checks each as it was before it was merged, by facts alone, and lists what check would have reported. A finding whose line was changed in the merge itself or within the next 30 commits is marked: somebody had to repair it. Nothing is checked out and nothing is written to the repository. Merges that were squashed or rebased have left no trace and are not seen.',
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
    { command: 'joinery backtest --last 500 --json', meaning: 'More of them, for a program.' },
  ],
  exitCodes: {
    ok: 'The merges were replayed, whatever was found.',
    usage: 'Not a repository, no such branch, or not a number.',
    environment: 'git is missing or too old.',
  },
} as const satisfies CommandTable;
