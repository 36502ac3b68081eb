import type { CommandTable } from '#cli/args/table.ts';

export const guardianTable = {
  name: 'guardian',
  summary: 'check a document against the vision of the product',
  description:
    'Asks a guardian whether a spec or a plan serves the vision of the product: aligned, flagged or rejected. It sees the vision and the document and nothing else. joinery plan asks the same before it plans when config "planning.vision" names a vision.',
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
      description: 'Who is asked. Default: the only one that is installed.',
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
  ],
  examples: [
    {
      command: 'joinery guardian specs/checkout.md --vision docs/vision.md',
      meaning: 'Is this what the product is for?',
    },
  ],
  exitCodes: {
    ok: 'Aligned, or flagged.',
    needsPerson: 'Rejected, or there was no usable answer.',
    usage: 'A file cannot be read, there is no vision, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
