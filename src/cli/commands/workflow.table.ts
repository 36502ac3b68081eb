import type { CommandTable } from '#cli/args/table.ts';

export const workflowActions = [
  'list',
  'show',
  'validate',
  'graph',
  'new',
  'run',
  'continue',
  'checkpoint',
  'fork',
  'resume',
  'runs',
  'status',
  'gate',
  'export',
  'import',
  'prune',
  'rotate-keys',
] as const;

export const workflowTable = {
  name: 'workflow',
  summary: 'lead an agent through steps that it cannot skip',
  description:
    'A workflow is a file of steps, conditions, loops and contracts. An agent gets one step at a time and the next one only when the current one is accepted. A workflow in progress is a run: it survives a crash of the agent and of this process. "list", "show", "validate", "graph" and "new" are about the files; "run" executes one, on this terminal or with an agent; "continue", "checkpoint", "fork" and "resume" are for agents without MCP; "runs", "status", "gate", "export", "import", "prune" and "rotate-keys" are about runs.',
  positionals: [
    {
      name: 'action',
      description: 'One of the actions above.',
    },
    {
      name: 'name',
      optional: true,
      variadic: true,
      description:
        'A workflow, a file, a token, a run, or words to search for; with gate: a run and approve, reject or uncertain.',
    },
  ],
  options: [
    { name: 'goal', type: 'string', placeholder: 'text', description: 'With run: the goal.' },
    {
      name: 'context',
      type: 'string',
      placeholder: 'json',
      description: 'With run and continue: variables, as a JSON object.',
    },
    {
      name: 'notes',
      type: 'string',
      placeholder: 'text',
      description: 'With continue: the notes of the step; "-" reads them from stdin.',
    },
    {
      name: 'artifact',
      type: 'string',
      placeholder: 'json',
      description: 'With continue: an artifact as JSON, or a JSON list of them; @file reads it from a file.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'With run and resume: this agent does the steps; without it, you do.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent does.',
    },
    {
      name: 'node',
      type: 'string',
      placeholder: 'n',
      description: 'With fork: the node to go back to, as status prints it.',
    },
    { name: 'reason', type: 'string', placeholder: 'text', description: 'With gate: why.' },
    {
      name: 'format',
      type: 'string',
      placeholder: 'format',
      values: ['mermaid', 'svg'],
      default: 'mermaid',
      description: 'With graph: the format.',
    },
    {
      name: 'output',
      short: 'o',
      type: 'string',
      placeholder: 'file',
      description: 'With graph and export: the file to write.',
    },
    {
      name: 'older-than',
      type: 'string',
      placeholder: 'days',
      description: 'With prune: minimum age of ended runs. Default: workflows.keepDays.',
    },
    { name: 'yes', short: 'y', type: 'boolean', description: 'With prune: do not ask.' },
  ],
  examples: [
    { command: 'joinery workflow list', meaning: 'Which workflows are there?' },
    { command: 'joinery workflow validate', meaning: 'Are they all valid?' },
    {
      command: 'joinery workflow run bug-investigation --goal "login fails after an hour"',
      meaning: 'Do one yourself, step by step.',
    },
    {
      command: 'joinery workflow run code-review --goal "review feat/a" --agent claude',
      meaning: 'Let an agent do one.',
    },
    { command: 'joinery workflow gate wf-abc approve', meaning: 'Approve a gate so that its run continues.' },
  ],
  exitCodes: {
    ok: 'Done, or the run is complete.',
    findings:
      'A workflow file has a blocking problem; a run stopped because its answers were refused too often.',
    needsPerson: 'The run is not complete: a step is pending, or a gate waits.',
    usage: 'No such workflow, run or token.',
  },
} as const satisfies CommandTable;
