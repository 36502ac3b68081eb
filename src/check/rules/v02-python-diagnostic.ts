import type { Rule } from './rule.ts';

export const pythonDiagnostic = {
  id: 'V02',
  name: 'python-diagnostic',
  category: 'interface',
  severity: 'blocking',
  languages: ['python'],
  precision: 0.98,
  what: "Python or the project's type checker (mypy, pyright) reports an error in the union that it reports on no branch alone and not on the base.",
  example: {
    a: ['- def find(key: str) -> str: ...', '+ def find(key: str) -> str | None: ...'],
    b: ['+ return find(key).upper()'],
  },
  move: 'Adapt the place to the other branch, as you would after a merge.',
  proof: ['proven'],
  owner: 'neither',
  detect: {
    checker: 'python',
  },
} satisfies Rule;
