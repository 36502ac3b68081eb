import type { CommandTable } from '#cli/args/table.ts';

export const guidesTable = {
  name: 'guides',
  summary: 'which CLAUDE.md and AGENTS.md govern a file',
  description:
    'Lists CLAUDE.md, *-CLAUDE.md and AGENTS.md in the folders above each file, the deepest first, five at most. Reviewers get the guides of the files they read. A file need not exist yet.',
  positionals: [{ name: 'path', variadic: true, description: 'Files of the repository.' }],
  options: [],
  examples: [{ command: 'joinery guides src/login/form.ts', meaning: 'Which rules apply here?' }],
  exitCodes: { ok: 'Listed; there may be none.', usage: 'A path outside the repository, or no repository.' },
} as const satisfies CommandTable;
