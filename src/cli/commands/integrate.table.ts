import type { CommandTable } from '#cli/args/table.ts';

export const integrateTable = {
  name: 'integrate',
  summary: 'prove that a run or branches fit and lose nothing; land them',
  description:
    'Checks the branches on the exact commits that would land, merges them on a branch of its own, proves that every change of every branch is in the result, runs the gates of the target, holds the result against the contract, and writes a receipt. With --land the target then moves in one step, or not at all. A checkout with changes is never touched.',
  positionals: [
    {
      name: 'run-or-branch',
      variadic: true,
      optional: true,
      description:
        'The id of a run, or branches and commits in the order in which they land. Default: the newest run.',
    },
  ],
  options: [
    {
      name: 'into',
      type: 'string',
      placeholder: 'branch',
      description: 'The target. Default: the default branch.',
    },
    {
      name: 'contract',
      type: 'string',
      placeholder: 'file',
      description:
        'The contract between the branches, or a plan that holds one; the result has to keep it. A run has that of its plan.',
    },
    { name: 'land', type: 'boolean', description: 'Move the target when everything holds.' },
    {
      name: 'partial',
      type: 'boolean',
      description: 'Land what fits and leave the rest behind, named with its reasons.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description:
        'Let this agent resolve text conflicts of branches, on the integration branch only; conservation decides whether the result may land. Default: nobody; a run asks its own agent.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent does, as JSON.',
    },
    {
      name: 'decisions',
      type: 'string',
      placeholder: 'file',
      description:
        'What you decided to leave out, as JSON (joinery/decisions@1): entries of "lost", each with a reason. They become part of the receipt.',
    },
    {
      name: 'update-checkout',
      type: 'boolean',
      description: 'Bring a clean checkout of the target along (git merge --ff-only).',
    },
    {
      name: 'yes',
      short: 'y',
      type: 'boolean',
      description: 'Do not ask. It never moves your branch: --land does.',
    },
  ],
  examples: [
    { command: 'joinery integrate --land', meaning: 'Land the newest run.' },
    { command: 'joinery integrate feat/a feat/b', meaning: 'Would they land? Nothing moves.' },
    {
      command: 'joinery integrate feat/a feat/b --land --update-checkout',
      meaning: 'Land them on main, checked out here.',
    },
    {
      command: 'joinery integrate feat/a feat/b --agent claude',
      meaning: 'Claude Code resolves what git cannot merge.',
    },
  ],
  exitCodes: {
    ok: 'Landed, or ready to land, or nothing to land.',
    findings: 'The branches do not fit, a gate fails, the contract is not kept, or work would be lost.',
    needsPerson: 'The target did not move although --land was given, or a check is inconclusive.',
    usage: 'There is no such run, branch or commit.',
    mergeConflict: 'The branches do not merge.',
  },
} as const satisfies CommandTable;
