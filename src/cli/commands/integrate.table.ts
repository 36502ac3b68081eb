import type { CommandTable } from '#cli/args/table.ts';
import { acceptOption, scriptedWork, unprovenOption } from './shared-options.ts';

export const integrateTable = {
  name: 'integrate',
  summary: 'prove that branches or a run fit, and land them',
  description:
    "Checks the branches on the exact commits that would land, merges them on a separate branch, proves that every change of every branch is in the result, runs the target's gates and tests on it, checks the contract, and writes a receipt. With --land the target then moves in one step, or not at all. A checkout with changes is never touched.",
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
        'The contract that the result has to keep, or a plan with one. A run uses the contract of its plan.',
    },
    { name: 'land', type: 'boolean', description: 'Move the target when everything holds.' },
    {
      name: 'partial',
      type: 'boolean',
      description: 'Land what fits; list the rest with the reasons.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description:
        'Let this agent resolve text conflicts, on the integration branch only; the result lands only if no change is lost. Default: none; a run uses its own agent.',
    },
    scriptedWork,
    {
      name: 'decisions',
      type: 'string',
      placeholder: 'file',
      description:
        'Losses you accept, as JSON (joinery/decisions@1): entries of "lost", each with a reason. They become part of the receipt.',
    },
    {
      ...acceptOption,
      description:
        'Accept a finding: its id, or the first eight characters, and why. It holds for these commits and becomes part of the receipt.',
    },
    unprovenOption,
    {
      name: 'update-checkout',
      type: 'boolean',
      description: 'Update a clean checkout of the target too (git merge --ff-only).',
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
    { command: 'joinery integrate feat/a feat/b', meaning: 'Would they land? Change nothing.' },
    {
      command: 'joinery integrate feat/a feat/b --land --update-checkout',
      meaning: 'Land them on main, checked out here.',
    },
    {
      command: 'joinery integrate feat/a feat/b --agent claude',
      meaning: 'Let Claude Code resolve text conflicts.',
    },
  ],
  exitCodes: {
    ok: 'Landed, or ready to land, or nothing to land.',
    findings: 'The branches do not fit, a gate fails, the contract is not kept, or work would be lost.',
    needsPerson:
      'The target did not move although --land was given, or a finding would break it and nobody has judged it, or something could not be checked.',
    usage: 'There is no such run, branch or commit.',
    mergeConflict: 'The branches do not merge.',
  },
  whenInterrupted:
    'branches land in one step or not at all; git log shows whether they did, and the same command starts over',
} as const satisfies CommandTable;
