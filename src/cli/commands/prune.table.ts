import type { CommandTable } from '#cli/args/table.ts';
import { yesOption } from './shared-options.ts';

export const pruneTable = {
  name: 'prune',
  summary: 'remove ended runs with their branches, worktrees and logs',
  description:
    'Deletes the log, the reports, the worktrees and the branches of runs that have ended, or of the ones you name. Work that was merged elsewhere stays there. A run whose accepted work is not merged anywhere is kept unless you give --force. Branches left behind by joinery integrate <branch>… are removed as well; receipts of what landed are kept.',
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
      description: 'Also remove runs whose accepted work is not merged anywhere. That work is lost.',
    },
    yesOption,
  ],
  examples: [
    { command: 'joinery prune --dry-run', meaning: 'What would be removed?' },
    { command: 'joinery prune --yes', meaning: 'Remove all ended runs.' },
  ],
  exitCodes: {
    ok: 'Removed, or nothing to remove.',
    needsPerson: 'Not confirmed, a process drives the run, or its accepted work is not merged anywhere.',
    usage: 'No such run.',
  },
} as const satisfies CommandTable;
