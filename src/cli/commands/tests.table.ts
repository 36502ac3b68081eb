import type { CommandTable } from '#cli/args/table.ts';
import { baseOption, branchPositional, sarifOption } from './proof-options.ts';

export const testsTable = {
  name: 'tests',
  summary: 'what tests do not reach, and tests that were weakened',
  description:
    'gaps lists the public symbols that a branch adds and that no test reaches through imports (TypeScript, JavaScript and Python; other languages are counted). With --threshold more gaps than that fail. integrity compares every test that was there with what is left of it: deleted, skipped, fewer inputs, weaker assertions. A commit message may say why: "Test-Change: <file, test or file#test> - <reason>" makes the finding important instead of blocking, and is listed. In a run of agents such a line counts for nothing.',
  positionals: [
    { name: 'action', values: ['gaps', 'integrity'], description: 'What to look for.' },
    branchPositional,
  ],
  options: [
    baseOption,
    {
      name: 'threshold',
      type: 'string',
      placeholder: 'n',
      description: 'gaps: more than this many fail. Default: gaps are listed and never fail.',
    },
    sarifOption,
  ],
  examples: [
    { command: 'joinery tests gaps feat/login', meaning: 'What does no test reach?' },
    {
      command: 'joinery tests gaps HEAD --base origin/main --threshold 0',
      meaning: 'In CI: everything is reached.',
    },
    { command: 'joinery tests integrity feat/login', meaning: 'Did it weaken a test?' },
  ],
  exitCodes: {
    ok: 'No gap beyond the threshold; no test weakened without a reason.',
    findings: 'Too many gaps, or a weakened test.',
    needsPerson: 'Inconclusive: something it changed cannot be read.',
    usage: 'Unknown ref, no common history, not a repository, bad threshold.',
  },
} as const satisfies CommandTable;
