import type { CommandTable } from '#cli/args/table.ts';
import { blockOption, strictOption } from './shared-options.ts';

export const ciTable = {
  name: 'ci',
  summary: 'check the open pull requests of a repository, in a CI job',
  description:
    "Checks all open pull requests into one branch against each other and against that branch; or checks the branches you name. It reads the job from the variables of GitHub Actions or GitLab CI and fetches commits into a separate repository. It checks nothing out, runs none of their code, and takes its settings from the base. It keeps one comment on the job's pull request, which names the conflicting pull request and its author. Of two conflicting pull requests only the one that should change fails.",
  positionals: [
    {
      name: 'forge',
      values: ['github', 'gitlab'],
      description:
        'The forge whose CI job this is. The token comes from GITHUB_TOKEN, or JOINERY_GITLAB_TOKEN.',
    },
    {
      name: 'branch',
      optional: true,
      variadic: true,
      description: 'Branches of the repository to check instead of open pull requests.',
    },
  ],
  options: [
    {
      name: 'mode',
      type: 'string',
      placeholder: 'mode',
      values: ['audit', 'enforce'],
      default: 'audit',
      description: 'audit reports and exits with 0; enforce fails the job.',
    },
    {
      name: 'base',
      type: 'string',
      placeholder: 'branch',
      description: "Default: the base of the pull request, else the repository's default branch.",
    },
    blockOption,
    strictOption,
    { name: 'no-comment', type: 'boolean', description: 'Write no comment on the pull request.' },
    {
      name: 'upload-sarif',
      type: 'boolean',
      description: "Upload the findings to GitHub's code scanning.",
    },
    { name: 'sarif', type: 'string', placeholder: 'file', description: 'Write a SARIF report.' },
    {
      name: 'code-quality',
      type: 'string',
      placeholder: 'file',
      description: "Write GitLab's Code Quality report.",
    },
  ],
  examples: [
    { command: 'joinery ci github', meaning: 'What action.yml of this package calls.' },
    { command: 'joinery ci github --mode enforce', meaning: 'Fail the pull request that should change.' },
    {
      command: 'joinery ci gitlab --code-quality gl-code-quality-report.json',
      meaning: 'Show the findings in the merge request.',
    },
    {
      command: 'joinery ci github --base release feat/a feat/b',
      meaning: 'These branches instead of open pull requests.',
    },
  ],
  exitCodes: {
    ok: 'The pull requests fit; or the mode is audit.',
    findings: 'The pull request has to change (enforce).',
    needsPerson:
      'Undecided: a finding would break the result and nobody has judged it, something could not be read, or the API gave no answer (enforce).',
    usage: 'Not in a CI job, the token was refused, or there is no such base.',
  },
} as const satisfies CommandTable;
