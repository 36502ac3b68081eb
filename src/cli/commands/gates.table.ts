import type { CommandTable } from '#cli/args/table.ts';

export const gatesTable = {
  name: 'gates',
  summary: 'run the quality gates of a change',
  description:
    'Runs the commands of the section "Quality Gates" of AGENTS.md or CLAUDE.md, or of the config, as they are in the base commit: the worktree cannot change what it has to pass. Tests that already failed on the base commit do not count; tests that both fail and pass on the same files are reported as flaky. In a task\'s worktree its run is found automatically. Progress goes to stderr.',
  positionals: [],
  options: [
    {
      name: 'task',
      type: 'string',
      placeholder: 'id',
      description: 'The task whose worktree to use. Default: the task of the current worktree, if any.',
    },
    { name: 'fast', type: 'boolean', description: 'Lint and type check only; the default.' },
    { name: 'full', type: 'boolean', description: 'Build and tests too.' },
    {
      name: 'worktree',
      type: 'string',
      placeholder: 'path',
      description: "Folder to run in. Default: the task's worktree, else the current one.",
    },
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description: 'Commit to read the gates from and to compare tests with. Default: where the work began.',
    },
    {
      name: 'format',
      type: 'string',
      placeholder: 'format',
      values: ['terminal', 'json', 'junit'],
      default: 'terminal',
      description: 'Form of the report; --json is --format json.',
    },
  ],
  examples: [
    { command: 'joinery gates', meaning: 'Lint and type check what I have changed.' },
    { command: 'joinery gates --full', meaning: 'Build and test too.' },
    { command: 'joinery gates --task api --full', meaning: 'What an agent runs before it hands in.' },
  ],
  exitCodes: {
    ok: 'All gates passed.',
    findings: 'A gate failed.',
    needsPerson: 'Inconclusive: no gate failed, but one could not be judged.',
    usage: 'No gates are defined, or their definition cannot be read.',
    environment: 'git is missing, or the worktree cannot be read.',
  },
} as const satisfies CommandTable;
