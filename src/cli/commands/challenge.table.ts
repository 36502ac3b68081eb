import type { CommandTable } from '#cli/args/table.ts';

export const challengeTable = {
  name: 'challenge',
  summary: 'have a plan or a spec attacked by one who knows nothing else',
  description:
    'Asks a challenger for objections to a document. It gets the document and nothing else: no code, no guides, no reasons. An objection blocks only with words that are in the document. The verdict is computed: three or more blocking objections to the root of the document (the premise of a plan, the alignment of a spec) reject it, any other one asks for a revision, none approves. Nothing is written.',
  positionals: [{ name: 'file', description: 'The plan (JSON) or spec (Markdown).' }],
  options: [
    {
      name: 'kind',
      type: 'string',
      placeholder: 'kind',
      values: ['auto', 'plan', 'spec'],
      default: 'auto',
      description: 'What it is attacked as. auto: JSON is a plan, anything else a spec.',
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
    { command: 'joinery challenge specs/checkout.md', meaning: 'Before anybody plans it.' },
    { command: 'joinery challenge plan.json --agent codex', meaning: 'Before anybody works on it.' },
  ],
  exitCodes: {
    ok: 'Approved: no objection holds.',
    findings: 'Revise: at least one objection holds.',
    needsPerson: 'Rejected, or there was no usable answer.',
    usage: 'The file cannot be read, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
