import type { Option, OptionValues } from './table.ts';

/** Options that every command takes, before or after its name. */
export const globalOptions = [
  {
    name: 'directory',
    short: 'C',
    type: 'string',
    placeholder: 'dir',
    description: 'Work as if started in <dir>.',
  },
  { name: 'json', type: 'boolean', description: 'Print one JSON document on stdout, also for errors.' },
  { name: 'quiet', short: 'q', type: 'boolean', description: 'No progress, no warnings.' },
  { name: 'verbose', short: 'v', type: 'boolean', description: 'Show the causes behind an error.' },
  {
    name: 'no-color',
    type: 'boolean',
    description: 'No colour. NO_COLOR does the same; FORCE_COLOR turns it on.',
  },
  {
    name: 'no-sandbox',
    type: 'boolean',
    description:
      'Run agents, gates and tests without a sandbox; the log records it. JOINERY_SANDBOX=off does the same.',
  },
  { name: 'help', short: 'h', type: 'boolean', description: 'Show help on a command.' },
  { name: 'version', short: 'V', type: 'boolean', description: 'Show the version.' },
] as const satisfies readonly Option[];

export type Globals = OptionValues<typeof globalOptions>;
