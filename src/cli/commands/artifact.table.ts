import type { CommandTable } from '#cli/args/table.ts';

export const artifactTable = {
  name: 'artifact',
  summary: 'list and show the inputs and outputs of attempts',
  description:
    'Prompts, handoffs and notes of a run. They are immutable, named by their content hash, and divided into sections that handoffs can cite.',
  positionals: [
    { name: 'action', values: ['list', 'show'], description: 'What to do.' },
    {
      name: 'name',
      optional: true,
      description:
        'handoff/<task>, notes/<task> or prompt/<task>, with @<attempt> and #<section>, or the beginning of a hash.',
    },
  ],
  options: [
    {
      name: 'run',
      type: 'string',
      placeholder: 'id',
      description: 'Id of the run, or a unique prefix. Default: the newest.',
    },
  ],
  examples: [
    { command: 'joinery artifact list', meaning: 'Of the newest run.' },
    { command: 'joinery artifact show handoff/api#decisions', meaning: 'What task api decided.' },
    { command: 'joinery artifact show prompt/api@1', meaning: 'The prompt of its first attempt.' },
  ],
  exitCodes: {
    ok: 'Shown.',
    usage: 'No such run, artifact or section.',
    environment: 'An artifact does not match its hash.',
  },
} as const satisfies CommandTable;
