import type { CommandTable } from '#cli/args/table.ts';
import { rolesBase, scriptedAnswers } from './shared-options.ts';

export const guardianTable = {
  name: 'guardian',
  summary: 'check a document against the product vision',
  description:
    'Asks a guardian whether a spec or a plan serves the product vision: aligned, flagged or rejected. The guardian sees only the vision and the document. joinery plan does the same before it plans when config "planning.vision" is set.',
  positionals: [{ name: 'file', description: 'The document.' }],
  options: [
    {
      name: 'vision',
      type: 'string',
      placeholder: 'file',
      description: 'The vision. Default: config "planning.vision".',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'The agent to ask. Default: the only one installed.',
    },
    scriptedAnswers,
    rolesBase,
  ],
  examples: [
    {
      command: 'joinery guardian specs/checkout.md --vision docs/vision.md',
      meaning: 'Does this spec serve the vision?',
    },
  ],
  exitCodes: {
    ok: 'Aligned, or flagged.',
    needsPerson: 'Rejected, or there was no usable answer.',
    usage: 'A file cannot be read, there is no vision, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
