import type { CommandTable } from '#cli/args/table.ts';

export const cacheTable = {
  name: 'cache',
  summary: 'show or clear the cache',
  description:
    'The cache holds facts about file contents, results of earlier checks, scratch objects and, on machines with an old Node, a newer Node. It can be deleted at any time; the next check is then slower. JOINERY_CACHE_DIR changes its location.',
  positionals: [{ name: 'action', values: ['path', 'size', 'clear'], description: 'What to do.' }],
  options: [],
  examples: [
    { command: 'joinery cache path', meaning: 'Where is it?' },
    { command: 'joinery cache size', meaning: 'How large is it?' },
    { command: 'joinery cache clear', meaning: 'Delete all of it.' },
  ],
  exitCodes: { ok: 'Done.', environment: 'The folder cannot be read or deleted.' },
} as const satisfies CommandTable;
