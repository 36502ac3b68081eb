import type { CommandTable } from '#cli/args/table.ts';
import { baseOption, branchPositional, sarifOption } from './proof-options.ts';

export const riskTable = {
  name: 'risk',
  summary: 'rank the changed files of a branch: what to read first, and why',
  description:
    'Scores every changed file by signals: migrations, paths that name security code, tests that lost assertions or promise less, sources without a changed test, new public names, added decisions, pages people see, and size. They are read from the syntax, not from words in comments or texts. Lock files, generated and binary files, and files that were only renamed are left out and listed. It is advice: it never fails a branch.',
  positionals: [branchPositional],
  options: [baseOption, sarifOption],
  examples: [
    { command: 'joinery risk feat/login', meaning: 'What should I read first?' },
    { command: 'joinery risk --json', meaning: 'The same for my uncommitted work, for a program.' },
  ],
  exitCodes: {
    ok: 'The order is printed.',
    needsPerson: 'A changed file cannot be read.',
    usage: 'Unknown ref, no common history, not a repository.',
  },
} as const satisfies CommandTable;
