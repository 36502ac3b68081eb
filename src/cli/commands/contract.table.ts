import type { CommandTable } from '#cli/args/table.ts';

export const contractTable = {
  name: 'contract',
  summary: 'hold branches against the agreement between their tasks',
  description:
    'A contract names what tasks have in common: entities with their key fields, relationships with what carries them, core queries as paths over these. "check" merges the branches in a place of its own and compares: each item is satisfied, partial, missing or contradicted, with file, line and branch; what cannot be read is undecided. Satisfied items are counted; --verbose lists them. "draft" writes down what a commit consists of, "diff" says what changes between two commits, "stubs" writes types and a test that fails when the code breaks the contract. No model, no network, nothing is checked out.',
  positionals: [
    { name: 'action', values: ['check', 'draft', 'diff', 'stubs'], description: 'What to do.' },
    {
      name: 'what',
      description:
        'Behind check and stubs: the contract file, or a plan that holds one. Behind draft: a commit. Behind diff: the earlier commit.',
    },
    {
      name: 'branch',
      optional: true,
      variadic: true,
      description:
        'Behind check: branches, as for joinery check; default: all unmerged ones. Behind diff: the later commit.',
    },
  ],
  options: [
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      config: 'base',
      description: 'Behind check: what the branches are merged into.',
    },
    {
      name: 'lang',
      type: 'string',
      placeholder: 'lang',
      values: ['ts', 'py'],
      description: 'Behind stubs: the language they are written in.',
    },
    {
      name: 'out',
      type: 'string',
      placeholder: 'path',
      description: 'Behind draft: a file to write. Behind stubs: the folder; default: contract.',
    },
    {
      name: 'in',
      type: 'string',
      placeholder: 'folder',
      description: 'Behind draft and diff: only this folder of the repository.',
    },
  ],
  examples: [
    {
      command: 'joinery contract check contract.json feat/a feat/b',
      meaning: 'Do these two together keep it?',
    },
    { command: 'joinery contract draft main --out contract.json', meaning: 'Freeze what main consists of.' },
    { command: 'joinery contract diff main feat/a', meaning: 'What does a branch change in it?' },
    { command: 'joinery contract stubs contract.json --lang ts', meaning: 'Types and a test for the crew.' },
  ],
  exitCodes: {
    ok: 'Every item is satisfied; drafted, compared or written.',
    findings:
      'An item is partial, missing or contradicted, or the contract is empty; diff: something changed.',
    needsPerson: 'An item is undecided, a branch does not merge, or a file that differs cannot be read.',
    usage: 'The contract cannot be read, or there is no such commit or folder.',
  },
} as const satisfies CommandTable;
