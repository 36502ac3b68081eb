import type { CommandTable } from '#cli/args/table.ts';

export const integrateTable = {
  name: 'integrate',
  summary: 'merge branches, prove that nothing is lost, land them',
  description:
    'Checks the branches on the exact commits that would land, merges them on a branch of its own, proves that every change of every branch is in the result, runs the gates of the target, and writes a receipt. With --land the target then moves in one step, or not at all. A checkout with changes is never touched.',
  positionals: [
    { name: 'branch', variadic: true, description: 'Branches or commits, in the order in which they land.' },
  ],
  options: [
    {
      name: 'into',
      type: 'string',
      placeholder: 'branch',
      description: 'The target. Default: the default branch.',
    },
    { name: 'land', type: 'boolean', description: 'Move the target when everything holds.' },
    {
      name: 'partial',
      type: 'boolean',
      description: 'Land what fits and leave the rest behind, named with its reasons.',
    },
    {
      name: 'update-checkout',
      type: 'boolean',
      description: 'Bring a clean checkout of the target along (git merge --ff-only).',
    },
  ],
  examples: [
    { command: 'joinery integrate feat/a feat/b', meaning: 'Would they land? Nothing moves.' },
    {
      command: 'joinery integrate feat/a feat/b --land --update-checkout',
      meaning: 'Land them on main, checked out here.',
    },
  ],
  exitCodes: {
    ok: 'Landed, or ready to land, or nothing to land.',
    findings: 'The branches do not fit, a gate fails, or work would be lost.',
    needsPerson: 'The target did not move although --land was given, or a check is inconclusive.',
    mergeConflict: 'The branches do not merge.',
  },
} as const satisfies CommandTable;
