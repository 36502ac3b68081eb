import type { Rule } from './rule.ts';

export const unresolvedImport = {
  id: 'S21',
  name: 'unresolved-import',
  category: 'connection',
  severity: 'important',
  single: true,
  languages: ['typescript', 'javascript', 'python', 'go', 'rust', 'ruby'],
  precision: 0.95,
  alarms: { merges: 1075, with: 0 },
  what: 'A branch adds an import that nothing provides: not the base, not the branch, not any other branch of the check. It may be waiting for work that is not there yet. This concerns one branch alone, so it never blocks. Imports that do not resolve on base either, such as generated modules, are not reported, nor is anything that a macro, a build or a file that was not read may bring.',
  example: { a: ['  (adds nothing called app/teams)'], b: ['+ from app.teams import Team'] },
  move: 'Add the missing module, check together with the branch that has it, or correct the path.',
  proof: ['proven'],
  owner: 'stated',
  detect: {
    unresolved: ({ problem, providerKey, statement }, side) => ({
      problem,
      consumer: side,
      provider: side,
      diagnosis: {
        providerKey,
        confidence: 'proven',
        message: `${side.ref} imports what no branch provides: ${statement}`,
        suggestion: 'add what is imported, or correct the import',
        owner: { ref: side.ref, reason: 'no other branch is involved' },
        provider: null,
      },
    }),
  },
} satisfies Rule;
