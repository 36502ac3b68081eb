import type { CommandTable } from '#cli/args/table.ts';

export const questionsTable = {
  name: 'questions',
  summary: 'list and answer the questions of runs',
  description:
    'A run that needs a person records a question with options, evidence, a default and, if configured, a deadline. An answer applies to one question; the run uses it when it continues.',
  positionals: [
    { name: 'action', optional: true, values: ['list', 'answer'], description: 'What to do. Default: list.' },
    { name: 'id', optional: true, description: 'The question to answer.' },
    {
      name: 'answer',
      optional: true,
      description:
        'One of its options, or a sentence: then the task is retried and its agent reads the sentence.',
    },
    { name: 'text', optional: true, description: 'With retry: what the agent should know.' },
  ],
  options: [
    {
      name: 'run',
      type: 'string',
      placeholder: 'id',
      description: 'Only this run. Default: all unfinished ones.',
    },
    { name: 'all', type: 'boolean', description: 'List answered ones too.' },
  ],
  examples: [
    { command: 'joinery questions', meaning: 'Which questions are open?' },
    { command: 'joinery questions answer api-2 retry', meaning: 'Retry task api.' },
    {
      command: 'joinery questions answer api-2 "keep the old route as an alias"',
      meaning: 'Retry it with this advice.',
    },
  ],
  exitCodes: { ok: 'Listed, or answered.', usage: 'No such question, or no such option.' },
} as const satisfies CommandTable;
