import type { CommandTable } from '#cli/args/table.ts';

export const triageTable = {
  name: 'triage',
  summary: 'check a triage of findings: nothing lost, nothing invented',
  description:
    'validate reads a file with the raw findings of reviewers and their triage. Every raw finding must be in exactly one of accepted, deferred and rejected, and no other finding may appear. An approval that contradicts the accepted findings is corrected first. A triage that rejects most findings, or a blocking finding of two reviewers, needs a person.',
  positionals: [
    { name: 'action', values: ['validate'], description: 'What to do.' },
    { name: 'file', description: 'JSON as described in schemas/triage.schema.json.' },
  ],
  options: [],
  examples: [{ command: 'joinery triage validate triage.json', meaning: 'Is this triage valid?' }],
  exitCodes: {
    ok: 'Valid, perhaps after a correction.',
    findings: 'Invalid: findings are lost, invented or contradictory, or it cannot be parsed.',
    needsPerson: 'Valid, but it rejects too much.',
    usage: 'The file cannot be read.',
  },
} as const satisfies CommandTable;
