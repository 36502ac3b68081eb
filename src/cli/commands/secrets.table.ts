import type { CommandTable } from '#cli/args/table.ts';
import { baseOption, branchPositional, sarifOption } from './proof-options.ts';

export const secretsTable = {
  name: 'secrets',
  summary: 'find secrets that a branch or the next commit adds',
  description:
    'Looks at added lines for keys, tokens and passwords: the forms that issuers gave them, private keys, URLs with a password, and random text that a name calls secret. A value is never printed; each place has a fingerprint. What is no secret goes by its fingerprint into grounding.allowedSecrets of joinery.json on the base; the branch cannot allow its own.',
  positionals: [branchPositional],
  options: [
    baseOption,
    {
      name: 'staged',
      type: 'boolean',
      description: 'What is staged, for a pre-commit hook, instead of a branch.',
    },
    sarifOption,
  ],
  examples: [
    { command: 'joinery secrets --staged', meaning: 'In .git/hooks/pre-commit.' },
    { command: 'joinery secrets HEAD --base origin/main --format sarif', meaning: 'In CI.' },
  ],
  exitCodes: {
    ok: 'No certain secret; there may be warnings.',
    findings: 'A secret is added.',
    needsPerson: 'Inconclusive: something it changed cannot be read.',
    usage: 'Unknown ref, no common history, not a repository, conflicts in the index.',
  },
} as const satisfies CommandTable;
