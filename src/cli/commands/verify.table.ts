import type { CommandTable } from '#cli/args/table.ts';
import { rolesBase, scriptedAnswers, yesOption } from './shared-options.ts';

export const verifyTable = {
  name: 'verify',
  summary: 'have another agent compare a plan with its spec',
  description:
    "Asks a verifier, which sees only the spec and the plan, whether the plan delivers what the spec asks for. Code computes pass or fail from its findings; the verifier's own verdict does not count. Clear errors are fixed in the plan file and verified again, at most three times; verification stops when a fix does not help. Ambiguities are left to you, with both readings.",
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
      description: 'Agent that verifies and fixes. Default: the only one installed.',
    },
    scriptedAnswers,
    rolesBase,
    {
      name: 'no-fix',
      type: 'boolean',
      description: 'Report only; do not change the plan file.',
    },
    yesOption,
  ],
  examples: [
    { command: 'joinery verify specs/checkout.plan.json', meaning: 'Does the plan do what the spec says?' },
    { command: 'joinery verify plan.json --spec specs/checkout.md --no-fix', meaning: 'Report only.' },
  ],
  exitCodes: {
    ok: 'The plan covers the spec.',
    findings: 'It does not; failures remain.',
    needsPerson: 'Something is ambiguous, a fix did not help, or there was no usable answer.',
    usage: 'The plan or the spec cannot be read, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
