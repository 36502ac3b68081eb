import type { CommandTable } from '#cli/args/table.ts';

export const replayTable = {
  name: 'replay',
  summary: 'reproduce a finding from its commits',
  description:
    'Builds the union of the guilty branches again, from the commits that were checked, and looks whether the problem is there and on no member alone. Needs nothing but git: what the branches stand for today does not matter.',
  positionals: [
    { name: 'finding', description: 'Id of the finding, or as much of its beginning as no other has.' },
  ],
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
    { command: 'joinery replay f04cdb37', meaning: 'See a finding of the last check again.' },
    { command: 'joinery replay f04c --report ci.json', meaning: 'See one that was found elsewhere.' },
  ],
  exitCodes: {
    ok: 'The problem is there again, exactly as the report says.',
    findings: 'It is not: the report is wrong, or the rules have changed since.',
    needsPerson: 'Unknown: the checker that found it cannot run.',
    usage: 'No such finding, or its commits are gone.',
    environment: 'git is missing or too old.',
  },
} as const satisfies CommandTable;
