import type { CommandTable } from '#cli/args/table.ts';

export const pruneTable = {
  name: 'prune',
  summary: 'remove runs that are over, with all they left behind',
  description:
    'Deletes the log, the reports, the worktrees and the branches of runs that have ended, or of the ones you name. Work that was merged elsewhere stays there.',
  positionals: [
    {
      name: 'run',
      optional: true,
      variadic: true,
      description: 'Ids of runs. Default: all that have ended.',
    },
  ],
  options: [
    { name: 'dry-run', type: 'boolean', description: 'Show what would go.' },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' },
  ],
  examples: [
    { command: 'joinery prune --dry-run', meaning: 'What could go?' },
    { command: 'joinery prune --yes', meaning: 'Remove all runs that are over.' },
  ],
  exitCodes: {
    ok: 'Removed, be it none.',
    needsPerson: 'Not confirmed, or a process drives the run.',
    usage: 'No such run.',
  },
} as const satisfies CommandTable;
