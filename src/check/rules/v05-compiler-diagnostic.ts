import type { Rule } from './rule.ts';

export const compilerDiagnostic = {
  id: 'V05',
  name: 'compiler-diagnostic',
  category: 'interface',
  severity: 'blocking',
  languages: ['go', 'java', 'csharp', 'ruby', 'php'],
  precision: 0.98,
  what: 'A compiler (go vet, javac, mcs, ruby -c, php -l) reports an error in the union that it reports on no branch alone and not on the base. It reads the sources and runs nothing of them.',
  example: {
    a: ['- func Find(id string) *User', '+ func Find(id string) (*User, error)'],
    b: ['+ name := store.Find(id).Name'],
  },
  move: 'Adapt the place to the other branch, as you would after a merge.',
  proof: ['proven'],
  owner: 'neither',
  detect: {
    checker: 'compilers',
  },
} satisfies Rule;
