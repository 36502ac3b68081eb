import { saidOfRename } from './linked/diagnosis-parts.ts';
import type { Rule } from './rule.ts';

export const useOfRenamedSymbol = {
  id: 'S02',
  name: 'use-of-renamed-symbol',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.98,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 45, real: 45 },
  what: 'One branch renames a symbol and every use it can see; the other adds a use of the old name.',
  example: {
    a: ['- export function getUser(id) { ... }', '+ export function fetchUser(id) { ... }'],
    b: ['+ const user = await getUser(id);'],
  },
  move: 'Use the new name in the other branch. Where a fix is offered, it is a plain replacement.',
  proof: ['proven', 'likely'],
  owner: 'consumer',
  entails: 'missing-types',
  detect: {
    linked: {
      'symbol-renamed': (seam, { change }) => saidOfRename(seam, change),
    },
  },
} satisfies Rule;
