import type { CommandTable } from '#cli/args/table.ts';
import { yesOption } from './shared-options.ts';

export const forkTable = {
  name: 'fork',
  summary: 'start a new run from a recorded step of another',
  description:
    'The new run starts with everything the other run had recorded when the step began: its plan, verified work and answers. None of that is paid for again. From then on it is an independent run with its own branches, and optionally another agent, model or more context. It stays on its integration branch unless you give --land; joinery compare shows both runs side by side.',
  positionals: [{ name: 'run', description: 'Id of the run, or a unique prefix.' }],
  options: [
    {
      name: 'at',
      type: 'string',
      placeholder: 'step',
      description:
        'The step to repeat: plan, verify, tasks, a task (api), one of its attempts (api/2), or integrate.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'The agent from this step on, in every role.',
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
      description: 'Context for the architect or the task, passed on unchanged.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent does from this step on, as JSON.',
    },
    { name: 'land', type: 'boolean', description: 'Move your branch when everything is proven.' },
    yesOption,
  ],
  examples: [
    {
      command: 'joinery fork r4k2 --at api --agent codex',
      meaning: 'The same plan, with Codex from task api on.',
    },
    {
      command: 'joinery fork r4k2 --at api/2 --context "use the v2 client"',
      meaning: 'Repeat the second attempt with a hint.',
    },
  ],
  exitCodes: {
    ok: 'The new run is done.',
    findings: 'A task failed, or the work does not fit.',
    needsPerson: 'A question waits, or a task needs a person.',
    usage: 'There is no such run or step.',
    mergeConflict: 'The work of two tasks does not merge.',
    environment: 'git, the disk or an agent failed; joinery resume continues.',
    interrupted: 'Stopped with Ctrl-C; joinery resume continues.',
  },
} as const satisfies CommandTable;
