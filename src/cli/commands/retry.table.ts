import type { CommandTable } from '#cli/args/table.ts';

export const retryTable = {
  name: 'retry',
  summary: 'retry a failed task',
  description:
    'The task starts over from the work accepted so far, with what you add as context; tasks that were skipped because of it start too. If a process is driving the run, it handles the request; otherwise the run continues here.',
  positionals: [
    { name: 'run', optional: true, description: 'Id of the run, or a unique prefix. Default: the newest.' },
  ],
  options: [
    { name: 'task', type: 'string', placeholder: 'id', description: 'The task.' },
    {
      name: 'context',
      type: 'string',
      placeholder: 'text',
      default: '',
      description: 'Context for the agent, passed on unchanged.',
    },
  ],
  examples: [
    { command: 'joinery retry --task api --context "use the v2 client"', meaning: 'Try again, with a hint.' },
  ],
  exitCodes: {
    ok: 'Every task is accepted now, or the driving process took over the request.',
    findings: 'A task failed.',
    needsPerson: 'A question waits, or a task needs a person.',
    usage: 'The task did not fail, or does not exist.',
    mergeConflict: 'The work of two tasks does not merge.',
    environment: 'git, the disk or an agent failed.',
    interrupted: 'Stopped with Ctrl-C.',
  },
} as const satisfies CommandTable;
