import type { CommandTable } from '#cli/args/table.ts';

export const groundTable = {
  name: 'ground',
  summary: 'check that a branch is real work: in scope, tested, not faked',
  description:
    "Checks what a branch changed since it left the base: that there is a change, that it stays in scope, its imports resolve, new sources have tests, no secret is added, and neither gates nor tests are weakened. Settings and gates are read from the base, never from the branch. Nothing is run, checked out or written, unless a task's criterion asks for tests or lint; these run in the worktree, or for a branch in a temporary one.",
  positionals: [
    {
      name: 'branch',
      description:
        'A branch, any other commit, or the path of a worktree (starting with . or /), including its uncommitted work.',
    },
  ],
  options: [
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      config: 'base',
      description: 'What the branch is compared with.',
    },
    {
      name: 'files',
      type: 'string',
      placeholder: 'paths',
      description: 'Files the branch may change, separated by commas; a folder ends with "/".',
    },
    {
      name: 'plan',
      type: 'string',
      placeholder: 'file',
      description: 'The plan, as JSON, with the files and criteria of each task.',
    },
    {
      name: 'task',
      type: 'string',
      placeholder: 'id',
      description: 'The task of the plan that the branch implements. Default: its only one.',
    },
    {
      name: 'format',
      type: 'string',
      placeholder: 'format',
      values: ['terminal', 'json', 'sarif', 'junit'],
      default: 'terminal',
      description: 'Form of the report; --json is --format json.',
    },
  ],
  examples: [
    { command: 'joinery ground feat/login', meaning: 'Is the work on this branch real?' },
    {
      command: 'joinery ground . --files src/login/,README.md',
      meaning: 'Did my own work stay in its scope?',
    },
    {
      command: 'joinery ground feat/login --plan plan.json --task login',
      meaning: 'Does it complete this task of a plan, including its criteria?',
    },
    { command: 'joinery ground HEAD --base origin/main --format sarif', meaning: 'In CI.' },
  ],
  exitCodes: {
    ok: 'No finding blocks; there may be warnings.',
    findings: 'A finding blocks.',
    needsPerson: 'Inconclusive: something it changed cannot be read.',
    usage: 'Unknown ref, no common history, not a repository, unreadable config or plan.',
  },
  whenInterrupted: 'nothing was changed; the same command starts over',
} as const satisfies CommandTable;
