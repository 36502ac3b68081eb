import type { CommandTable } from '#cli/args/table.ts';
import { baseOption, branchPositional, sarifOption } from './proof-options.ts';

export const secretsTable = {
  name: 'secrets',
  summary: 'find secrets that a branch or the next commit adds',
  description:
    'Searches added lines for keys, tokens and passwords: known token formats, private keys, URLs with a password, and random text in a variable with a secret-like name. Values are never printed; each place has a fingerprint. To allow a value that is not a secret, add its fingerprint to grounding.allowedSecrets in joinery.json on the base; a branch cannot allow its own.',
  positionals: [branchPositional],
  options: [
    baseOption,
    {
      name: 'staged',
      type: 'boolean',
      description: 'Check staged changes instead of a branch, for a pre-commit hook.',
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
