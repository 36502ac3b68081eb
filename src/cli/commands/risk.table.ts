import type { CommandTable } from '#cli/args/table.ts';
import { baseOption, branchPositional, sarifOption } from './proof-options.ts';

export const riskTable = {
  name: 'risk',
  summary: 'rank the changed files of a branch: what to read first, and why',
  description:
    'Scores every changed file by signals: migrations, paths that name security code, tests with fewer or weaker assertions, sources without a changed test, new public names, added decisions, user-facing pages, and size. Signals come from the syntax, not from words in comments or strings. Lock files, generated and binary files, and pure renames are skipped and listed. The ranking is advice and never fails a branch.',
  positionals: [branchPositional],
  options: [baseOption, sarifOption],
  examples: [
    { command: 'joinery risk feat/login', meaning: 'What should I read first?' },
    { command: 'joinery risk --json', meaning: 'The same for my uncommitted work, as JSON.' },
  ],
  exitCodes: {
    ok: 'The order is printed.',
    needsPerson: 'A changed file cannot be read.',
    usage: 'Unknown ref, no common history, not a repository.',
  },
  whenInterrupted: 'nothing was changed; the same command starts over',
} as const satisfies CommandTable;
