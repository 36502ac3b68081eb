import type { CommandTable } from '#cli/args/table.ts';
import { scriptedAnswers } from './shared-options.ts';

export const auditTable = {
  name: 'audit',
  summary: 'measure whether agents worked as a team: who cited whose work',
  description:
    'Reads the handoffs of a run, or the Handoff Records that agents left in a folder (.claude/pipeline/<feature>/ or any other), and computes the Coordination Score from their bytes: which outputs were addressed to whom, which of them were cited, and which citations do not exist. It uses no model without --agent and writes nothing without --write.',
  positionals: [
    {
      name: 'target',
      optional: true,
      description:
        'A run, or a folder with the documents of a pipeline. Default: the newest run, or else the current folder.',
    },
  ],
  options: [
    {
      name: 'format',
      type: 'string',
      placeholder: 'format',
      values: ['terminal', 'json', 'markdown', 'sarif', 'svg'],
      default: 'terminal',
      description: 'Form of the report; --json is --format json.',
    },
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description:
        'What the work is compared with when records name lines of code. Default: the default branch.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description:
        'Agent that judges whether the named lines do what a record says: confirmed, partial or missing. It sees the claims and these files; its citations are checked. Default: none.',
    },
    scriptedAnswers,
    {
      name: 'write',
      type: 'boolean',
      description: 'Also write coherence-report.md and coherence-graph.svg into the audited folder.',
    },
  ],
  examples: [
    { command: 'joinery audit .claude/pipeline/login', meaning: 'Audit the documents of another tool.' },
    { command: 'joinery audit .claude/pipeline/login --json', meaning: 'As JSON: joinery/audit@1.' },
    {
      command: 'joinery audit .claude/pipeline/login --write',
      meaning: 'Write coherence-report.md and a picture next to the documents.',
    },
  ],
  exitCodes: {
    ok: 'Every record can be read, nothing is invented, and the score is at least 50 or n/a.',
    findings: 'A record is missing or malformed, a citation is fabricated, or a path is invalid.',
    needsPerson: 'Theater: the score is below 50; or the agent gave no usable answer.',
    usage: 'There is no such run or folder, or it cannot be read.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
