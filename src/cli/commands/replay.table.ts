import type { CommandTable } from '#cli/args/table.ts';

export const replayTable = {
  name: 'replay',
  summary: 'reproduce a finding from its commits',
  description:
    'Rebuilds the union of the conflicting branches from the commits that were checked, and verifies that the problem exists there and on none of the branches alone. Needs only git; where the branches point today does not matter.',
  positionals: [{ name: 'finding', description: 'Id of the finding, or a unique prefix.' }],
  options: [
    {
      name: 'report',
      type: 'string',
      placeholder: 'file',
      default: 'last',
      description: 'The JSON report that holds the finding, or the last check of this repository: last.',
    },
  ],
  examples: [
    { command: 'joinery replay f04cdb37', meaning: 'Reproduce a finding of the last check.' },
    { command: 'joinery replay f04c --report ci.json', meaning: 'Reproduce a finding from another report.' },
  ],
  exitCodes: {
    ok: 'The problem is reproduced exactly as reported.',
    findings: 'It is not reproduced: the report is wrong, or the rules have changed since.',
    needsPerson: 'Unknown: the checker that found it cannot run.',
    usage: 'No such finding, or its commits are gone.',
    environment: 'git is missing or too old.',
  },
} as const satisfies CommandTable;
