import type { CommandTable } from '#cli/args/table.ts';
import { scriptedWork, unprovenOption } from './shared-options.ts';

export const runTable = {
  name: 'run',
  summary: 'from a spec, or a plan, to landed code',
  description:
    'Plans the spec, has another agent verify the plan, and gives each task its own branch, worktree and agent. Accepted work is collected on the branch joinery/<run>/integration and proven on the exact commits that would land. It lands in one step, as config "run.land" says: ask, always or never. Until then your branches and your checkout do not change. The process may be killed at any moment: joinery resume continues without repeating finished work.',
  positionals: [{ name: 'spec', optional: true, description: 'The spec, a Markdown file; or --plan.' }],
  options: [
    {
      name: 'plan',
      type: 'string',
      placeholder: 'file',
      description: 'An existing plan, as JSON.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description:
        'The agent for all work, unless a role or task names another: claude, codex, scripted… Default: config "run.agent", else the only one installed.',
    },
    scriptedWork,
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
      description: 'How many tasks run at the same time.',
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
      description: 'interactive: questions wait for a person; autopilot: questions take their default.',
    },
    {
      name: 'workflow',
      type: 'string',
      placeholder: 'id',
      config: 'run.workflow',
      description:
        'Lead the agent of every task through the steps of this workflow, one at a time: coding-task…',
    },
    {
      name: 'land',
      type: 'boolean',
      negatable: true,
      description:
        'Move your branch when everything is proven (--land), or never (--no-land). Default: config "run.land".',
    },
    unprovenOption,
    {
      name: 'update-checkout',
      type: 'boolean',
      description: 'Update a clean checkout of the target when it lands.',
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
      description: 'Do not ask; take the default of every question. It never moves your branch: --land does.',
    },
  ],
  examples: [
    { command: 'joinery run specs/checkout.md', meaning: 'From a spec to a proven result.' },
    {
      command: 'joinery run specs/checkout.md --land --update-checkout',
      meaning: 'Land it on your branch when it is proven.',
    },
    {
      command: 'joinery run --plan plan.json --agent scripted --scenario scenario.json',
      meaning: 'Run a plan without a model.',
    },
    { command: 'joinery run --plan plan.json --agent claude', meaning: 'Let Claude Code do the work.' },
    { command: 'joinery run --plan plan.json --budget 5', meaning: 'Stop and ask when $5 are spent.' },
    { command: 'joinery run --plan plan.json --parallel 8 --json', meaning: 'As JSON.' },
  ],
  exitCodes: {
    ok: 'It landed, or it is done and stays on its integration branch.',
    findings:
      'The spec or its plan was refused, a task failed, the work does not fit, or the run was cancelled.',
    needsPerson:
      'A question waits for an answer (land?), the budget is spent, a task needs a person, or the target did not move.',
    usage: 'The spec, the plan or the scenario cannot be used, or no agent was named.',
    mergeConflict: 'The work of two tasks does not merge.',
    environment: 'git, the disk or an agent failed; joinery resume continues.',
    interrupted: 'Stopped with Ctrl-C; joinery resume continues.',
  },
} as const satisfies CommandTable;
