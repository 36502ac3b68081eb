import type { CommandTable } from '#cli/args/table.ts';

export const rolesTable = {
  name: 'roles',
  summary: 'list the prompts of all roles and where they come from',
  description:
    "Every role has a built-in prompt, a Markdown file. A project replaces it by committing .joinery/roles/<role>.md. It is read from the base commit, never from a worktree, so that no agent can write its own instructions. With a role's name, its prompt is printed.",
  positionals: [{ name: 'role', optional: true, description: 'Print the prompt of this role.' }],
  options: [
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description: 'Commit to read from. Default: the checked-out one.',
    },
  ],
  examples: [
    { command: 'joinery roles', meaning: "Which prompts are built in, which are the project's?" },
    { command: 'joinery roles architect', meaning: 'The prompt of the architect.' },
  ],
  exitCodes: { ok: 'Listed.', usage: 'No such role, or no such commit.' },
} as const satisfies CommandTable;
