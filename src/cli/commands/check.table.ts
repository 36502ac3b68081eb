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
      description:
        "What the branches are compared with. Default: the repository's default branch. A single name that is not that branch is a branch to check.",
    },
    {
      name: 'branch',
      optional: true,
      variadic: true,
      description:
        "A branch, any other commit, a pattern of branches ('feat/*', 'origin/*'), or the path of a worktree (starting with . or /), whose uncommitted work counts. Default: all unmerged local branches and linked worktrees.",
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
      values: ['types', 'build', 'tests', 'none'],
      isList: true,
      config: 'confirm',
      description:
        'What proves a finding on the union: type checkers; the build and the tests of the branches, which run code of the branches; or facts alone.',
    },
    {
      name: 'sandbox',
      type: 'string',
      placeholder: 'command',
      description:
        'Put this command before each build and test: a program that confines what follows it, with its arguments.',
    },
    {
      name: 'format',
      type: 'string',
      placeholder: 'format',
      values: ['terminal', 'json', 'sarif', 'github', 'codequality', 'markdown', 'junit', 'html'],
      default: 'terminal',
      description: 'Form of the report; --json is --format json.',
    },
    {
      name: 'against',
      type: 'string',
      placeholder: 'report',
      description: 'Compare with an earlier JSON report, or with the last check of this repository: last.',
    },
    {
      name: 'risk',
      type: 'boolean',
      description:
        'Say where the branches lean on each other: shared clusters, who defines what another uses, changes with many dependents, an order of merging.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description:
        'Ask an agent, which may only read, for what code cannot see: behaviour and intent. What it says is held to the branches and decides nothing.',
    },
    {
      name: 'agent-prompt',
      type: 'boolean',
      description: 'Print what an agent would be asked, and stop.',
    },
    {
      name: 'agent-report',
      type: 'string',
      placeholder: 'file',
      description: 'Read the answer of a model that was asked elsewhere, instead of asking an agent.',
    },
    {
      name: 'spec',
      type: 'string',
      placeholder: 'file',
      description: 'For the agent: what the branches are to achieve together.',
    },
    {
      name: 'contract',
      type: 'string',
      placeholder: 'file',
      description: 'For the agent: the contract between the branches, or a plan that has one.',
    },
    {
      name: 'agent-bytes',
      type: 'string',
      placeholder: 'n',
      default: '400000',
      description: 'Size of the prompt in UTF-8; half of it is for diffs, the same share for each branch.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent says, as JSON.',
    },
    {
      name: 'ui',
      type: 'boolean',
      description: 'Print the report, then show it in the dashboard until Ctrl-C.',
    },
    {
      name: 'watch',
      type: 'boolean',
      description:
        'Check again whenever a branch moves or a worktree changes, and print what is new (+) or gone (-), until Ctrl-C; with --json a line each. JOINERY_WATCH=poll where the system reports no changes.',
    },
    { name: 'stats', type: 'boolean', description: 'Print on stderr how long each stage took.' },
  ],
  examples: [
    { command: 'joinery check', meaning: 'Do all my unmerged branches fit?' },
    { command: 'joinery check main feat/a feat/b', meaning: 'Do these two fit together on main?' },
    {
      command: 'joinery check my-branch',
      meaning: 'Does my branch fit the default branch, which has moved on?',
    },
    { command: "joinery check 'feat/*'", meaning: 'Do all unmerged branches with such a name fit?' },
    { command: 'joinery check --watch', meaning: 'Tell me as soon as two worktrees stop to fit.' },
    { command: 'joinery check --base main . ../other-worktree', meaning: 'Uncommitted work counts too.' },
    {
      command: 'joinery check --confirm types,tests',
      meaning: 'Run the tests that each branch brings on the union of all: this runs code of the branches.',
    },
    { command: 'joinery check --agent claude', meaning: 'What does a model see that code does not?' },
  ],
  exitCodes: {
    ok: 'The branches fit.',
    findings: 'They do not: a finding blocks, or their text does not merge.',
    needsPerson: 'Inconclusive: something that matters could not be read or checked.',
    usage: 'Unknown ref, no common history, not a repository, unreadable config, contract or answer.',
    environment: 'git is missing or too old, or the agent or sandbox that was named is not installed.',
  },
} as const satisfies CommandTable;
