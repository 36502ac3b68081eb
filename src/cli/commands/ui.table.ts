import type { CommandTable } from '#cli/args/table.ts';

export const uiTable = {
  name: 'ui',
  summary: 'open the dashboard in a browser',
  description:
    'Serves a page on this machine that shows runs, tasks, seams between branches and what needs a decision, and lets you act on it: of this repository and of every other one that Joinery has worked in. Reads what is recorded; it needs no running `joinery run` and ends with Ctrl-C.',
  positionals: [],
  options: [
    {
      name: 'demo',
      type: 'boolean',
      description: 'Play a scripted run in a repository made for it; needs no model.',
    },
    { name: 'port', type: 'string', placeholder: 'number', description: 'Default: any free port.' },
    {
      name: 'host',
      type: 'string',
      placeholder: 'address',
      default: '127.0.0.1',
      description: 'Address to listen on; another than loopback needs --allow-remote.',
    },
    {
      name: 'allow-remote',
      type: 'boolean',
      description:
        'Let other machines connect. Everyone who has the link can steer the runs of all repositories, and the connection is not encrypted.',
    },
    {
      name: 'only-here',
      type: 'boolean',
      description: 'Show this repository alone; default: every one that Joinery has worked in.',
    },
    {
      name: 'open',
      type: 'boolean',
      negatable: true,
      description: 'Open the browser (default on a terminal).',
    },
  ],
  examples: [
    { command: 'joinery ui', meaning: 'Open the dashboard of this repository.' },
    { command: 'joinery ui --demo', meaning: 'See everything move without a model.' },
    { command: 'joinery ui --port 4711 --no-open', meaning: 'Only print the link.' },
  ],
  exitCodes: { ok: 'Ended with Ctrl-C.', environment: 'The port is taken.' },
} as const satisfies CommandTable;
