import type { CommandTable } from '#cli/args/table.ts';

export const forkTable = {
  name: 'fork',
  summary: 'start a new run from a recorded step of another',
  description:
    'The new run begins with all that the other had recorded when the step began: its plan, its verified work, its answers. Nothing of that is paid for again. From there on it is a run of its own, with its own branches, and with another agent, another model or more context if you say so. It stays on its integration branch unless --land says otherwise; joinery compare shows both side by side.',
  positionals: [{ name: 'run', description: 'Id of the run, or its beginning.' }],
  options: [
    {
      name: 'at',
      type: 'string',
      placeholder: 'step',
      description:
        'The step that begins again: plan, verify, tasks, a task (api), one of its attempts (api/2), or integrate.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'Who does the work from there on, in every role.',
    },
    {
      name: 'model',
      type: 'string',
      placeholder: 'name',
      description: 'The model of the agent that continues.',
    },
    {
      name: 'context',
      type: 'string',
      placeholder: 'text',
      default: '',
      description: 'What the architect or the task should know this time; it reaches them word for word.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent does from there on, as JSON.',
    },
    { name: 'land', type: 'boolean', description: 'Move your branch when everything is proven.' },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' },
  ],
  examples: [
    {
      command: 'joinery fork r4k2 --at api --agent codex',
      meaning: 'The same plan; from task api on Codex does the work.',
    },
    {
      command: 'joinery fork r4k2 --at api/2 --context "use the v2 client"',
      meaning: 'The second attempt once more, with a hint.',
    },
  ],
  exitCodes: {
    ok: 'The new run is done.',
    findings: 'A task failed, or the work does not fit.',
    needsPerson: 'A question waits, or a task needs a person.',
    usage: 'There is no such run or step.',
    mergeConflict: 'Work of two tasks does not merge.',
    environment: 'git, the disk or an agent gave way; joinery resume goes on.',
    interrupted: 'Stopped with Ctrl-C; joinery resume continues.',
  },
} as const satisfies CommandTable;
