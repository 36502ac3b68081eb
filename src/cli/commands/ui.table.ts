import type { CommandTable } from '#cli/args/table.ts';

export const uiTable = {
  name: 'ui',
  summary: 'open the dashboard in a browser',
  description:
    'Serves a page on this machine that shows the runs, tasks, seams between branches and open decisions of this repository and of every other one Joinery has worked in, and lets you act on them. It reads what is recorded, needs no running `joinery run`, and ends with Ctrl-C.',
  positionals: [],
  options: [
    {
      name: 'demo',
      type: 'boolean',
      description: 'Show a scripted run in a temporary repository; needs no model.',
    },
    { name: 'port', type: 'string', placeholder: 'number', description: 'Default: any free port.' },
    {
      name: 'host',
      type: 'string',
      placeholder: 'address',
      default: '127.0.0.1',
      description: 'Address to listen on; any address except loopback needs --allow-remote.',
    },
    {
      name: 'allow-remote',
      type: 'boolean',
      description:
        'Let other machines connect. Everyone with the link can control the runs of all repositories, and the connection is not encrypted.',
    },
    {
      name: 'only-here',
      type: 'boolean',
      description: 'Show only this repository. Default: every repository Joinery has worked in.',
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
    { command: 'joinery ui --demo', meaning: 'See a demonstration without a model.' },
    { command: 'joinery ui --port 4711 --no-open', meaning: 'Only print the link.' },
  ],
  exitCodes: { ok: 'Ended with Ctrl-C.', environment: 'The port is taken.' },
} as const satisfies CommandTable;
