import type { CommandTable } from '#cli/args/table.ts';

export const versionTable = {
  name: 'version',
  summary: 'show the version',
  description: 'The same as --version; with --json also the Node it runs on and the platform.',
  positionals: [],
  options: [],
  examples: [{ command: 'joinery version --json', meaning: 'What to put into a bug report.' }],
  exitCodes: { ok: 'Always.' },
} as const satisfies CommandTable;
