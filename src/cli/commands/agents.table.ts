import type { CommandTable } from '#cli/args/table.ts';

export const agentsTable = {
  name: 'agents',
  summary: 'list the installed coding agents and try them',
  description:
    'Lists the agents that runs can use: whether each is installed, in which version, what works with it and how to install what is missing. Programs are asked only for their version. `try` lets an agent do a tiny task in a temporary repository and shows what happened; this calls a model and costs as much as a short answer.',
  positionals: [
    { name: 'action', values: ['list', 'try'], optional: true, description: 'What to do. Default: list.' },
    { name: 'agent', optional: true, description: 'The agent to try.' },
  ],
  options: [
    { name: 'model', type: 'string', placeholder: 'name', description: 'Model to use for try.' },
    {
      name: 'timeout',
      type: 'string',
      placeholder: 'seconds',
      default: '300',
      description: 'Time limit for try.',
    },
  ],
  examples: [
    { command: 'joinery agents', meaning: 'What is installed here?' },
    { command: 'joinery agents try claude', meaning: 'Does Claude Code work here, including its login?' },
  ],
  exitCodes: {
    ok: 'Listed; or the agent did what it was asked.',
    findings: 'The agent did not do what it was asked.',
    usage: 'No such agent, or an option that only try accepts.',
    environment: 'The agent is not installed.',
  },
} as const satisfies CommandTable;
