import type { CommandTable } from '#cli/args/table.ts';

export const verifyTable = {
  name: 'verify',
  summary: 'have another agent compare a plan with its spec',
  description:
    'Asks a verifier that sees the spec and the plan and nothing else whether the plan, carried out to the letter, delivers what the spec asks for. Pass or fail is computed from what it found, never from its own word. What is plainly wrong is fixed in the plan file and verified again, at most three times; it stops at once when the same failures remain after a fix. What can be read in two ways is left to you, with both readings.',
  positionals: [{ name: 'plan', description: 'The plan file.' }],
  options: [
    {
      name: 'spec',
      type: 'string',
      placeholder: 'file',
      description: 'The spec. Default: the one the plan was made from.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'Who verifies and fixes. Default: the only one that is installed.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent says, as JSON.',
    },
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description: 'Commit whose roles count. Default: the checked-out one.',
    },
    {
      name: 'no-fix',
      type: 'boolean',
      description: 'Only report; leave the plan file as it is.',
    },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' },
  ],
  examples: [
    { command: 'joinery verify specs/checkout.plan.json', meaning: 'Does the plan do what the spec says?' },
    { command: 'joinery verify plan.json --spec specs/checkout.md --no-fix', meaning: 'Report only.' },
  ],
  exitCodes: {
    ok: 'The plan covers the spec.',
    findings: 'It does not; failures remain.',
    needsPerson: 'Something can be read in two ways, a fix did not help, or there was no usable answer.',
    usage: 'The plan or the spec cannot be read, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
