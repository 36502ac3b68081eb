import type { CommandTable } from '#cli/args/table.ts';

export const agentsTable = {
  name: 'agents',
  summary: 'list the installed coding agents and try them',
  description:
    'Lists the agents that runs can use: whether each is installed, in which version, what works with it and how to install what is missing. Programs are asked for their version and for nothing else. `try` lets one do a task of two lines in a repository made for it, shows what happened and removes it again; that asks a model and costs what a short answer costs.',
  positionals: [
    { name: 'action', values: ['list', 'try'], optional: true, description: 'What to do. Default: list.' },
    { name: 'agent', optional: true, description: 'The agent to try.' },
  ],
  options: [
    { name: 'model', type: 'string', placeholder: 'name', description: 'Model for the try.' },
    {
      name: 'timeout',
      type: 'string',
      placeholder: 'seconds',
      default: '300',
      description: 'Longest time a try may take.',
    },
  ],
  examples: [
    { command: 'joinery agents', meaning: 'What is installed here?' },
    { command: 'joinery agents try claude', meaning: 'Does Claude Code work from here, login and all?' },
  ],
  exitCodes: {
    ok: 'Listed; or the agent did what it was asked.',
    findings: 'The agent did not do what it was asked.',
    usage: 'No such agent, or something only a try knows what to do with.',
    environment: 'The agent is not installed.',
  },
} as const satisfies CommandTable;
