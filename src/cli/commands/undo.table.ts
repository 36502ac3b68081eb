import type { CommandTable } from '#cli/args/table.ts';
import { yesOption } from './shared-options.ts';

export const undoTable = {
  name: 'undo',
  summary: 'undo a landing that is still the tip of its target',
  description:
    'Moves the target back to the commit before the landing, in one step or not at all. A checkout with changes is never touched. Refuses when anything has landed since. The branches are kept.',
  positionals: [
    {
      name: 'id',
      optional: true,
      description: 'The id that integrate printed, or a branch or commit. Default: the newest landing.',
    },
  ],
  options: [
    { name: 'update-checkout', type: 'boolean', description: 'Update a clean checkout of the target too.' },
    yesOption,
  ],
  examples: [{ command: 'joinery undo k3fd8a2q --yes', meaning: 'Undo the landing.' }],
  exitCodes: {
    ok: 'Undone.',
    needsPerson: 'Not confirmed, the target is checked out, or something landed since.',
    usage: 'No such landing.',
  },
} as const satisfies CommandTable;
