import type { CommandTable } from '#cli/args/table.ts';

export const pruneTable = {
  name: 'prune',
  summary: 'remove ended runs with their branches, worktrees and logs',
  description:
    'Deletes the log, the reports, the worktrees and the branches of runs that have ended, or of the ones you name. Work that was merged elsewhere stays there. A run with accepted work that is merged nowhere is kept unless you say --force. Branches that joinery integrate <branch>… left behind go as well; the receipts of what landed stay.',
  positionals: [
    {
      name: 'run',
      optional: true,
      variadic: true,
      description: 'Ids of runs or integrations. Default: all runs that have ended, and all integrations.',
    },
  ],
  options: [
    { name: 'dry-run', type: 'boolean', description: 'Show what would be removed.' },
    {
      name: 'force',
      type: 'boolean',
      description: 'Also remove runs whose accepted work is merged nowhere. That work is lost.',
    },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' },
  ],
  examples: [
    { command: 'joinery prune --dry-run', meaning: 'What would be removed?' },
    { command: 'joinery prune --yes', meaning: 'Remove all ended runs.' },
  ],
  exitCodes: {
    ok: 'Removed, or nothing to remove.',
    needsPerson: 'Not confirmed, a process drives the run, or its accepted work is merged nowhere.',
    usage: 'No such run.',
  },
} as const satisfies CommandTable;
