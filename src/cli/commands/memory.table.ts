import type { CommandTable } from '#cli/args/table.ts';

export const memoryTable = {
  name: 'memory',
  summary: 'search, add and forget what reviews learned',
  description:
    'Reviews store accepted findings and rejected preferences; people can add notes. Reviewers get at most five of them as hints. A memory that cites a file expires when the file changes. The rejection of a blocking finding is never stored, and no memory can prevent a finding from blocking.',
  positionals: [
    { name: 'action', values: ['search', 'add', 'forget'], description: 'What to do.' },
    { name: 'words', variadic: true, description: 'Words to search, the text to add, or the id to forget.' },
  ],
  options: [
    {
      name: 'file',
      type: 'string',
      placeholder: 'path',
      description: 'add: the file it is about, from the top of the repository.',
    },
  ],
  examples: [
    { command: 'joinery memory search date format', meaning: 'What do reviews know about dates?' },
    {
      command: 'joinery memory add "Dates are in UTC" --file src/dates.ts',
      meaning: 'Remind reviewers of it.',
    },
    { command: 'joinery memory forget 3f2a9c01b7de', meaning: 'Remove a wrong memory.' },
  ],
  exitCodes: { ok: 'Done; a search may find nothing.', usage: 'Unknown id or file, not a repository.' },
} as const satisfies CommandTable;
