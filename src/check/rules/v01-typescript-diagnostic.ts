import type { Rule } from './rule.ts';

export const typescriptDiagnostic = {
  id: 'V01',
  name: 'typescript-diagnostic',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript'],
  precision: 0.99,
  what: 'TypeScript reports an error in the union that it reports on no branch alone and not on the base. Where another rule has found the same cause, its finding carries what the compiler said instead, and blocks.',
  example: {
    a: ['- interface User { name: string }', '+ interface User { name: string | null }'],
    b: ['+ const title = user.name.toUpperCase();'],
  },
  move: 'Adapt the place to the other branch, as you would after a merge; docs/type-checkers.md says which compiler was asked and how.',
  proof: ['proven'],
  owner: 'neither',
  detect: {
    checker: 'typescript',
  },
} satisfies Rule;
