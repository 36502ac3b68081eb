import { saidOfCall } from './linked/mismatched-call.ts';
import type { Rule } from './rule.ts';

export const arityMismatch = {
  id: 'S04',
  name: 'arity-mismatch',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.96,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch changes how many arguments a function takes; the other adds a call of the old shape.',
  example: { a: ['- def send(to, body):', '+ def send(to, body, *, tenant):'], b: ['+ send(address, text)'] },
  move: 'Adapt the call, or give the new parameter a default.',
  proof: ['proven', 'likely'],
  owner: 'consumer',
  detect: {
    linked: {
      'arity-changed': (seam) => saidOfCall(seam, null),
    },
  },
} satisfies Rule;
