import type { CommandTable } from '#cli/args/table.ts';
import { acceptOption, blockOption, scriptedAnswers, strictOption } from './shared-options.ts';

export const checkTable = {
  name: 'check',
  summary: 'find out whether branches fit together',
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
        "A branch, any other commit, a pattern of branches ('feat/*', 'origin/*'), or the path of a worktree (starting with . or /), including its uncommitted work. Default: the unmerged local branches, at most --newest of them, and all linked worktrees.",
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
      name: 'newest',
      type: 'string',
      placeholder: 'n',
      default: '100',
      description:
        'How many of the branches that you did not name one by one are checked: the n with the newest commits, or all. The report says how many were left out.',
    },
    blockOption,
    strictOption,
    {
      ...acceptOption,
      description:
        'Accept a finding for this answer: its id, or the first eight characters, and why. Nothing is stored; `ignore` in the config is.',
    },
    {
      name: 'confirm',
      type: 'string',
      placeholder: 'by',
      values: ['types', 'build', 'tests', 'none'],
      isList: true,
      config: 'confirm',
      description:
        "What confirms a finding on the union: type checkers (types); the branches' own build and tests, which run code of the branches (build, tests); or facts alone (none).",
    },
    {
      name: 'sandbox',
      type: 'string',
      placeholder: 'command',
      description: 'Run each build and test through this command, a sandbox program with its arguments.',
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
        'Show how the branches depend on each other: shared clusters, who defines what another uses, changes with many dependents, and a merge order.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description:
        'Ask a read-only agent about what code cannot see: behaviour and intent. Its claims are checked against the branches and never change the verdict.',
    },
    {
      name: 'agent-prompt',
      type: 'boolean',
      description: 'Print the prompt for the agent, and stop.',
    },
    {
      name: 'agent-report',
      type: 'string',
      placeholder: 'file',
      description: "Read a model's answer from this file instead of asking an agent.",
    },
    {
      name: 'spec',
      type: 'string',
      placeholder: 'file',
      description: 'For the agent: what the branches should achieve together.',
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
      description:
        "Largest size of the prompt in bytes (UTF-8); half of it is shared equally by the branches' diffs.",
    },
    scriptedAnswers,
    {
      name: 'ui',
      type: 'boolean',
      description: 'Print the report, then show it in the dashboard until Ctrl-C.',
    },
    {
      name: 'watch',
      type: 'boolean',
      description:
        'Check again whenever a branch or worktree changes, and print new (+) and resolved (-) findings until Ctrl-C; with --json one line each. Set JOINERY_WATCH=poll where the system reports no changes.',
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
    { command: 'joinery check --watch', meaning: 'Tell me as soon as two worktrees no longer fit.' },
    { command: 'joinery check --base main . ../other-worktree', meaning: 'Uncommitted work counts too.' },
    {
      command: 'joinery check --confirm types,tests',
      meaning: "Run each branch's tests on the union of all branches. This runs code of the branches.",
    },
    { command: 'joinery check --agent claude', meaning: 'What does a model see that code does not?' },
  ],
  exitCodes: {
    ok: 'The branches fit.',
    findings: 'They do not fit: a finding was judged true, or their text does not merge.',
    needsPerson:
      'Undecided: a finding would break the result and nobody has judged it, or something that matters could not be read or checked.',
    usage: 'Unknown ref, no common history, not a repository, unreadable config, contract or answer.',
    environment: 'git is missing or too old, or the agent or sandbox that was named is not installed.',
  },
  whenInterrupted: 'nothing was changed; the same command continues with what was found so far',
} as const satisfies CommandTable;
