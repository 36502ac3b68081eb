import type { CommandTable } from '#cli/args/table.ts';

export const guidesTable = {
  name: 'guides',
  summary: 'list the CLAUDE.md and AGENTS.md that apply to a file',
  description:
    'Lists CLAUDE.md, *-CLAUDE.md and AGENTS.md in the folders above each file, deepest first, at most five. Reviewers get the guides of the files they read. The file does not have to exist.',
  positionals: [{ name: 'path', variadic: true, description: 'Files of the repository.' }],
  options: [],
  examples: [{ command: 'joinery guides src/login/form.ts', meaning: 'Which rules apply here?' }],
  exitCodes: { ok: 'Listed; there may be none.', usage: 'A path outside the repository, or no repository.' },
} as const satisfies CommandTable;
