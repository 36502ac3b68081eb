import type { CommandTable } from '#cli/args/table.ts';

export const runTable = {
  name: 'run',
  summary: 'let a crew of agents work on a plan',
  description:
    'Gives each task of the plan its own branch, worktree and agent, as many at a time as allowed, and collects accepted work on the branch joinery/<run>/integration. Your own branches and your checkout are not touched. The process may be killed at any moment: joinery resume continues without repeating finished work.',
  positionals: [],
  options: [
    { name: 'plan', type: 'string', placeholder: 'file', description: 'The plan, as JSON.' },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      default: 'scripted',
      description: 'Who does the work, unless a task says otherwise: claude, codex or scripted.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent does, as JSON.',
    },
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description: "Commit to start from. Default: the plan's, else the checked-out one.",
    },
    {
      name: 'parallel',
      type: 'string',
      placeholder: 'n',
      config: 'run.parallel',
      description: 'Tasks at a time.',
    },
    {
      name: 'budget',
      type: 'string',
      placeholder: 'usd',
      config: 'budget.usd',
      description: 'Dollars the run may spend; then it stops and asks.',
    },
    {
      name: 'budget-tokens',
      type: 'string',
      placeholder: 'n',
      config: 'budget.tokens',
      description: 'Tokens the run may spend.',
    },
    {
      name: 'autonomy',
      type: 'string',
      placeholder: 'level',
      values: ['interactive', 'autopilot'],
      config: 'run.autonomy',
      description: 'Whether questions wait for a person or take their default.',
    },
    {
      name: 'dry-run',
      type: 'boolean',
      description: 'Check the plan and show the order of work; start nothing.',
    },
    {
      name: 'yes',
      short: 'y',
      type: 'boolean',
      description: 'Do not ask; take the default of every question.',
    },
  ],
  examples: [
    {
      command: 'joinery run --plan plan.json --agent scripted --scenario scenario.json',
      meaning: 'Play a plan without a model.',
    },
    { command: 'joinery run --plan plan.json --agent claude', meaning: 'Let Claude Code do the work.' },
    { command: 'joinery run --plan plan.json --budget 5', meaning: 'Stop and ask when $5 are spent.' },
    { command: 'joinery run --plan plan.json --parallel 8 --json', meaning: 'For a program.' },
  ],
  exitCodes: {
    ok: 'Every task was accepted.',
    findings: 'A task failed, or the run was cancelled.',
    needsPerson: 'A question waits for an answer, the budget is spent, or a task needs a person.',
    usage: 'The plan or scenario cannot be used.',
    mergeConflict: 'Work of two tasks does not merge.',
    environment: 'git, the disk or an agent gave way; joinery resume goes on.',
    interrupted: 'Stopped with Ctrl-C; joinery resume continues.',
  },
} as const satisfies CommandTable;
