import type { CommandTable } from '#cli/args/table.ts';
import { scriptedAnswers } from './shared-options.ts';

export const reviewTable = {
  name: 'review',
  summary: 'review a branch: checks, reviewers, proof by test',
  description:
    "Runs all code-based checks first and asks no reviewer while one fails. Then two or more reviewers read the branch independently. Findings outside the diff, or on lines and symbols that do not exist, cannot block. An assessor sorts the findings, and code checks that none is lost or invented. Every blocking finding, even a deferred one, gets its own test. A finding is confirmed only when an assertion fails in Joinery's own run; otherwise it is deferred. Disagreement between reviewers never counts as a pass. Your checkout does not change.",
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
        'Agents, optionally with a model: claude:opus,codex. Default: the only one installed, twice.',
    },
    {
      name: 'agent',
      type: 'string',
      placeholder: 'name',
      description: 'Agent that assesses findings and writes tests. Default: the first reviewer.',
    },
    scriptedAnswers,
    {
      name: 'plan',
      type: 'string',
      placeholder: 'file',
      description: 'Plan that contains the task and its criteria.',
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
      description: 'Time limit for each reviewer; a late reviewer counts as absent.',
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
        'Number of mutants of the changed lines to test first; reviewers see those that no test noticed. At most 20.',
    },
    {
      name: 'audit',
      type: 'boolean',
      description:
        'When reviewers object, one more agent reviews the whole change for architecture or production.',
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
    findings: 'Accepted findings block, or a check fails.',
    needsPerson:
      'Reviewers disagree, none answered, or the triage is invalid, rejects too much or defers a blocking finding.',
    usage: 'Unknown ref, agent or task.',
    environment: 'git or an agent is missing.',
  },
  whenInterrupted: 'nothing was changed; the same command starts over',
} as const satisfies CommandTable;
