import type { CommandTable } from '#cli/args/table.ts';

export const planTable = {
  name: 'plan',
  summary: 'make a plan of parallel tasks from a spec',
  description:
    'Audits the spec, has it checked against the vision of the product if there is one, and asks an architect to cut it into tasks with a contract between them, checks the answer and asks once more with the exact errors. Code decides whether the tasks can be done in parallel: size of tasks, files of two tasks, symbols that one task changes and another uses. Then it prices both orders, parallel and serial, and writes the plan beside the spec. Nothing is asked again while spec, code, prompts and models stay the same. "joinery plan init" writes a plan file to fill in by hand.',
  positionals: [
    { name: 'spec', description: 'The spec, a Markdown file; or init.' },
    { name: 'file', optional: true, description: 'With init: the plan file to write. Default: plan.json.' },
  ],
  options: [
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'Who plans: claude, codex, scripted… Default: the only one that is installed.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent says, as JSON.',
    },
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description: 'Commit whose code and roles count. Default: the checked-out one.',
    },
    {
      name: 'out',
      type: 'string',
      placeholder: 'file',
      description: 'Where the plan goes. Default: beside the spec, <name>.plan.json.',
    },
    {
      name: 'order',
      type: 'string',
      placeholder: 'order',
      values: ['auto', 'parallel', 'serial'],
      default: 'auto',
      description: 'Run tasks in parallel, one after the other, or whichever is cheaper.',
    },
    {
      name: 'vision',
      type: 'string',
      placeholder: 'file',
      description:
        'Vision of the product that a guardian checks the spec against. Default: config "planning.vision".',
    },
    { name: 'skip-audit', type: 'boolean', description: 'Plan even if the spec fails its audit.' },
    { name: 'skip-guardian', type: 'boolean', description: 'Do not ask the guardian.' },
    {
      name: 'force',
      type: 'boolean',
      description: 'Ask again even if nothing has changed; replace a plan that was edited.',
    },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask.' },
  ],
  examples: [
    { command: 'joinery plan specs/checkout.md --agent claude', meaning: 'Plan a feature.' },
    { command: 'joinery plan specs/checkout.md --order serial', meaning: 'One task after the other.' },
    { command: 'joinery plan init', meaning: 'Write a plan by hand.' },
  ],
  exitCodes: {
    ok: 'The plan is written.',
    findings: 'The spec fails its audit or the tasks are not cut well; no plan was written.',
    needsPerson: 'The guardian rejects the spec, or an agent gave no usable answer.',
    usage: 'The spec cannot be read, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
