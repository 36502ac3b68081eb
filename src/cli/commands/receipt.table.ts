import type { CommandTable } from '#cli/args/table.ts';

export const receiptTable = {
  name: 'receipt',
  summary: 'show what landed and recompute the proof',
  description:
    'A receipt records which commits and trees landed, what they contained and what was checked. verify recomputes every id from the repository alone and compares the digest with the trailer of the landing commit.',
  positionals: [
    { name: 'action', values: ['show', 'verify'], description: 'What to do.' },
    {
      name: 'id',
      optional: true,
      description: 'The id that integrate printed, or a branch or commit. Default: the newest landing.',
    },
  ],
  options: [],
  examples: [{ command: 'joinery receipt verify k3fd8a2q', meaning: 'Is the receipt correct?' }],
  exitCodes: {
    ok: 'Shown, or every id is correct.',
    findings: 'An id or the digest does not match.',
    usage: 'No such receipt.',
  },
} as const satisfies CommandTable;
