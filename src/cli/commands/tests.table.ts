import type { CommandTable } from '#cli/args/table.ts';
import { baseOption, branchPositional, sarifOption } from './proof-options.ts';

export const testsTable = {
  name: 'tests',
  summary: 'find untested symbols and weakened tests',
  description:
    'gaps lists the public symbols that a branch adds and that no test reaches through imports (TypeScript, JavaScript and Python; other languages are counted). With --threshold more gaps than that fail. integrity compares every existing test with its new version: deleted, skipped, fewer inputs, weaker assertions. A commit message may give the reason: "Test-Change: <file, test or file#test> - <reason>" makes the finding important instead of blocking and lists it. In a run of agents such a line is ignored.',
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
      meaning: 'In CI: fail on any gap.',
    },
    { command: 'joinery tests integrity feat/login', meaning: 'Did the branch weaken a test?' },
  ],
  exitCodes: {
    ok: 'No gap beyond the threshold; no test weakened without a reason.',
    findings: 'Too many gaps, or a weakened test.',
    needsPerson: 'Inconclusive: something it changed cannot be read.',
    usage: 'Unknown ref, no common history, not a repository, bad threshold.',
  },
} as const satisfies CommandTable;
