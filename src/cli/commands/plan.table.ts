import type { CommandTable } from '#cli/args/table.ts';
import { scriptedAnswers, yesOption } from './shared-options.ts';

export const planTable = {
  name: 'plan',
  summary: 'turn a spec into a plan of parallel tasks',
  description:
    'Audits the spec, checks it against the product vision if there is one, and asks an architect to split it into tasks with a contract between them. If the answer has errors, the architect gets one more try with the exact errors. Code decides whether the tasks can run in parallel: their size, files that two tasks change, symbols that one task changes and another uses. Then it estimates the cost of the parallel and the serial order and writes the plan next to the spec. While spec, code, prompts and models stay the same, no agent is asked again. "joinery plan init" writes a plan file to fill in by hand.',
  positionals: [
    { name: 'spec', description: 'The spec, a Markdown file; or init.' },
    { name: 'file', optional: true, description: 'With init: the plan file to write. Default: plan.json.' },
  ],
  options: [
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'Agent that plans: claude, codex, scripted… Default: the only one installed.',
    },
    scriptedAnswers,
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
      description: 'Where the plan goes. Default: next to the spec, <name>.plan.json.',
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
        'The product vision that a guardian checks the spec against. Default: config "planning.vision".',
    },
    { name: 'skip-audit', type: 'boolean', description: 'Plan even if the spec fails its audit.' },
    { name: 'skip-guardian', type: 'boolean', description: 'Do not ask the guardian.' },
    {
      name: 'force',
      type: 'boolean',
      description: 'Ask again even if nothing has changed; replace a plan that was edited.',
    },
    yesOption,
  ],
  examples: [
    { command: 'joinery plan specs/checkout.md --agent claude', meaning: 'Plan a feature.' },
    { command: 'joinery plan specs/checkout.md --order serial', meaning: 'One task after the other.' },
    { command: 'joinery plan init', meaning: 'Write a plan by hand.' },
  ],
  exitCodes: {
    ok: 'The plan is written.',
    findings: 'The spec fails its audit or the tasks are badly split; no plan was written.',
    needsPerson: 'The guardian rejects the spec, or an agent gave no usable answer.',
    usage: 'The spec cannot be read, or no agent was named.',
    environment: 'git or the agent is missing.',
  },
} as const satisfies CommandTable;
