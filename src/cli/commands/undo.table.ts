import type { CommandTable } from '#cli/args/table.ts';

export const undoTable = {
  name: 'undo',
  summary: 'take back a landing that is still the tip of its target',
  description:
    'Moves the target back to the commit before the landing, by the same rule as integrate: one step or none, and a checkout with changes is never touched. Refuses when anything landed since. The branches stay.',
  positionals: [{ name: 'id', description: 'The id that integrate printed.' }],
  options: [
    { name: 'update-checkout', type: 'boolean', description: 'Bring a clean checkout of the target along.' },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' },
  ],
  examples: [{ command: 'joinery undo k3fd8a2q --yes', meaning: 'Take the landing back.' }],
  exitCodes: {
    ok: 'Taken back.',
    needsPerson: 'Not confirmed, the target is checked out, or something landed since.',
    usage: 'No such landing.',
  },
} as const satisfies CommandTable;
