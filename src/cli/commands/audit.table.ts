import type { CommandTable } from '#cli/args/table.ts';

export const auditTable = {
  name: 'audit',
  summary: 'measure whether agents worked as a team: who cited whose work',
  description:
    'Reads the handoffs of a run, or the Handoff Records that agents left in a folder (.claude/pipeline/<feature>/ or any other), and computes the Coordination Score from their bytes: which outputs were addressed to whom, which of them the addressee cited, what was cited that does not exist. No model is asked without --agent, and nothing is written without --write.',
  positionals: [
    {
      name: 'target',
      optional: true,
      description:
        'A run, or a folder with the documents of a pipeline. Default: the newest run, without one the current folder.',
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
        'Who judges whether named lines do what a record says: confirmed, partial or missing. It sees the claims and these files; what it cites is checked. Default: nobody.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent says, as JSON.',
    },
    {
      name: 'write',
      type: 'boolean',
      description: 'Also write coherence-report.md and coherence-graph.svg into the audited folder.',
    },
  ],
  examples: [
    { command: 'joinery audit .claude/pipeline/login', meaning: 'What another tool left behind.' },
    { command: 'joinery audit .claude/pipeline/login --json', meaning: 'For programs: joinery/audit@1.' },
    {
      command: 'joinery audit .claude/pipeline/login --write',
      meaning: 'coherence-report.md and a picture beside the documents.',
    },
  ],
  exitCodes: {
    ok: 'Every record can be read, nothing is invented, and the score is at least 50 or n/a.',
    findings: 'A record is missing or malformed, a citation is fabricated, or a path is invalid.',
    needsPerson: 'Theater: the score is below 50; or the agent that was to judge gave no usable answer.',
    usage: 'There is no such run or folder, or it cannot be read.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
