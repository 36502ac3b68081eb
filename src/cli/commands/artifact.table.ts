import type { CommandTable } from '#cli/args/table.ts';

export const artifactTable = {
  name: 'artifact',
  summary: 'list and show what attempts were given and left behind',
  description:
    'Prompts, handoffs and notes of a run: immutable, named by the hash of their bytes, divided into sections that handoffs can cite.',
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
      description: 'Id of the run, or its beginning. Default: the newest.',
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
    environment: 'An artifact is not what it was.',
  },
} as const satisfies CommandTable;
