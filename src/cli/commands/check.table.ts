import type { CommandTable } from '#cli/args/table.ts';

export const checkTable = {
  name: 'check',
  summary: 'prove whether branches fit together',
  description:
    'Compares what each branch changed since it left the base and looks for problems that exist only when the branches are merged: a use of a symbol that another branch removed, a call that no longer matches, two definitions of one name. Nothing is checked out, nothing is written to the repository, no network is used.',
  positionals: [
    {
      name: 'base',
      optional: true,
      description: "What the branches are compared with. Default: the repository's default branch.",
    },
    {
      name: 'branch',
      optional: true,
      variadic: true,
      description:
        'A branch, any other commit, or the path of a worktree (starting with . or /), whose uncommitted work counts. Default: all unmerged local branches and linked worktrees.',
    },
  ],
  options: [
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      config: 'base',
      description: 'The base; then every argument is a branch.',
    },
    {
      name: 'strict',
      type: 'boolean',
      negatable: true,
      config: 'strict',
      description: 'Fail on important findings too.',
    },
    {
      name: 'confirm',
      type: 'string',
      placeholder: 'by',
      values: ['types', 'none'],
      config: 'confirm',
      description: 'Ask type checkers about the union, or rely on facts alone.',
    },
    {
      name: 'format',
      type: 'string',
      placeholder: 'format',
      values: ['terminal', 'json', 'sarif', 'github', 'markdown', 'junit'],
      default: 'terminal',
      description: 'Form of the report; --json is --format json.',
    },
    {
      name: 'against',
      type: 'string',
      placeholder: 'report',
      description: 'Compare with an earlier JSON report, or with the last check of this repository: last.',
    },
    { name: 'stats', type: 'boolean', description: 'Say on stderr how long each stage took.' },
  ],
  examples: [
    { command: 'joinery check', meaning: 'Do all my unmerged branches fit?' },
    { command: 'joinery check main feat/a feat/b', meaning: 'Do these two fit together on main?' },
    { command: 'joinery check main HEAD', meaning: 'Does my branch fit main, which has moved on?' },
    { command: 'joinery check --base main . ../other-worktree', meaning: 'Uncommitted work counts too.' },
  ],
  exitCodes: {
    ok: 'The branches fit.',
    findings: 'They do not: a finding blocks, or their text does not merge.',
    needsPerson: 'Inconclusive: something that matters could not be read or checked.',
    usage: 'Unknown ref, no common history, not a repository, unreadable config.',
    environment: 'git is missing or too old.',
  },
} as const satisfies CommandTable;
