import type { CommandTable } from '#cli/args/table.ts';

export const contractTable = {
  name: 'contract',
  summary: 'check branches against the contract between their tasks',
  description:
    'A contract names what tasks share: entities with their key fields, relationships with the fields that implement them, and core queries as paths over these. "check" merges the branches outside your checkout and compares: each item is satisfied, partial, missing or contradicted, with file, line and branch; an item that cannot be read is undecided. Satisfied items are only counted; --verbose lists them. "draft" writes a contract from a commit, "diff" shows what changes between two commits, and "stubs" writes types and a test that fails when the code breaks the contract. It uses no model and no network, and checks nothing out.',
  positionals: [
    { name: 'action', values: ['check', 'draft', 'diff', 'stubs'], description: 'What to do.' },
    {
      name: 'what',
      description:
        'With check and stubs: the contract file, or a plan that holds one. With draft: a commit. With diff: the earlier commit.',
    },
    {
      name: 'branch',
      optional: true,
      variadic: true,
      description:
        'With check: branches, as for joinery check; default: all unmerged ones. With diff: the later commit.',
    },
  ],
  options: [
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      config: 'base',
      description: 'With check: what the branches are merged into.',
    },
    {
      name: 'lang',
      type: 'string',
      placeholder: 'lang',
      values: ['ts', 'py'],
      description: 'With stubs: the language they are written in.',
    },
    {
      name: 'out',
      type: 'string',
      placeholder: 'path',
      description: 'With draft: a file to write. With stubs: the folder; default: contract.',
    },
    {
      name: 'in',
      type: 'string',
      placeholder: 'folder',
      description: 'With draft and diff: only this folder of the repository.',
    },
  ],
  examples: [
    {
      command: 'joinery contract check contract.json feat/a feat/b',
      meaning: 'Do these two branches together keep the contract?',
    },
    { command: 'joinery contract draft main --out contract.json', meaning: 'Write a contract from main.' },
    { command: 'joinery contract diff main feat/a', meaning: 'What does a branch change?' },
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
