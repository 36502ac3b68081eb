import type { CommandTable } from '#cli/args/table.ts';

export const reviewTable = {
  name: 'review',
  summary: 'review a branch: code first, then reviewers, proof by test',
  description:
    'Checks what code can decide; while that is red no reviewer is asked. Then two or more reviewers read the branch at the same time without knowing each other. Findings outside the diff, or on lines and symbols that do not exist, cannot block. An assessor sorts the findings, and code checks that none is lost or invented. Blocking findings, also those that the assessor puts off, get a test of their own: it confirms only when an assertion fails in our own run; what a test does not show is deferred. Reviewers who disagree are never averaged into a pass. Nothing in your checkout is touched.',
  positionals: [
    {
      name: 'branch',
      optional: true,
      description: 'A branch, a fetched pull-request ref or another commit. Default: HEAD.',
    },
  ],
  options: [
    {
      name: 'base',
      type: 'string',
      placeholder: 'rev',
      description: 'What the branch is compared with. Default: the base of the project.',
    },
    {
      name: 'reviewers',
      type: 'string',
      placeholder: 'list',
      description:
        'Agents, with a model where wanted: claude:opus,codex. Default: two of the only one installed.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'Who assesses findings and writes tests. Default: the first reviewer.',
    },
    {
      name: 'scenario',
      type: 'string',
      placeholder: 'file',
      description: 'What the scripted agent says, as JSON.',
    },
    {
      name: 'plan',
      type: 'string',
      placeholder: 'file',
      description: 'Plan with the task whose criteria the branch has to meet.',
    },
    {
      name: 'task',
      type: 'string',
      placeholder: 'id',
      description: 'The task of the plan. Default: its only one.',
    },
    {
      name: 'timeout',
      type: 'string',
      placeholder: 'seconds',
      default: '180',
      description: 'Time a reviewer has; who is late is absent.',
    },
    {
      name: 'checklist',
      type: 'string',
      placeholder: 'file',
      description: 'Handoff of the shaping phase (JSON): its checklist is judged item by item.',
    },
    {
      name: 'mutants',
      type: 'string',
      placeholder: 'n',
      default: '0',
      description:
        'Change so many of the changed lines first, one at a time; reviewers are told what no test noticed. At most 20.',
    },
    {
      name: 'audit',
      type: 'boolean',
      description: 'When reviewers object, one more looks at the whole: architecture or production.',
    },
    { name: 'rebuttal', type: 'boolean', description: 'One more round when reviewers disagree.' },
    { name: 'no-gates', type: 'boolean', description: 'Do not run the quality gates first.' },
    { name: 'no-tests', type: 'boolean', description: 'Do not prove findings by tests.' },
  ],
  examples: [
    { command: 'joinery review feat/login --reviewers claude,codex', meaning: 'Two models, one branch.' },
    {
      command: 'joinery review refs/pull/7/head --base origin/main --json',
      meaning: 'A fetched pull request.',
    },
  ],
  exitCodes: {
    ok: 'Approved; consensus is in the report.',
    findings: 'Accepted findings block, or a check is red.',
    needsPerson:
      'Reviewers disagree, none answered, the triage rejects too much, puts off what blocks or is not valid.',
    usage: 'Unknown ref, agent or task.',
    environment: 'git or an agent is missing.',
  },
} as const satisfies CommandTable;
