import type { Option } from '#cli/args/table.ts';

/** Options of every command that looks at one branch. */
export const baseOption = {
  name: 'base',
  type: 'string',
  placeholder: 'rev',
  config: 'base',
  description: 'What the branch is compared with.',
} as const satisfies Option;

export const sarifOption = {
  name: 'format',
  type: 'string',
  placeholder: 'format',
  values: ['terminal', 'json', 'sarif'],
  default: 'terminal',
  description: 'Form of the report; --json is --format json.',
} as const satisfies Option;

export const branchPositional = {
  name: 'branch',
  optional: true,
  description:
    'A branch, any other commit, or the path of a worktree (starting with . or /). Default: the worktree you are in, uncommitted work included.',
} as const;
