import type { CommandTable } from '#cli/args/table.ts';
import { rolesBase, scriptedAnswers } from './shared-options.ts';

export const challengeTable = {
  name: 'challenge',
  summary: 'ask a challenger for objections to a plan or spec',
  description:
    'Asks a challenger for objections to a document. The challenger sees only the document: no code, no guides, no reasons. An objection can block only if it quotes the document. Code computes the verdict: three or more blocking objections to the foundation of the document (the premise of a plan, the alignment of a spec) reject it; any other blocking objection asks for a revision; none approves it. Nothing is written.',
  positionals: [{ name: 'file', description: 'The plan (JSON) or spec (Markdown).' }],
  options: [
    {
      name: 'kind',
      type: 'string',
      placeholder: 'kind',
      values: ['auto', 'plan', 'spec'],
      default: 'auto',
      description: 'Kind of document. auto: JSON is a plan, anything else a spec.',
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
    { command: 'joinery challenge specs/checkout.md', meaning: 'Before planning.' },
    { command: 'joinery challenge plan.json --agent codex', meaning: 'Before work starts.' },
  ],
  exitCodes: {
    ok: 'Approved: no objection holds.',
    findings: 'Revise: at least one objection holds.',
    needsPerson: 'Rejected, or there was no usable answer.',
    usage: 'The file cannot be read, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
