import { common, ownerPlace, saidOfRemoval, saidOfRename, splitId } from './linked/diagnosis-parts.ts';
import type { Rule } from './rule.ts';

export const fieldRemovedOrRenamed = {
  id: 'S10',
  name: 'field-removed-or-renamed',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.95,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch removes or renames a field of a class, interface or record; the other adds code that reads or writes it.',
  example: { a: ['  class User:', '-     name: str', '+     full_name: str'], b: ['+ greet(user.name)'] },
  move: 'Follow the rename, or agree on one set of fields.',
  proof: ['proven', 'likely'],
  owner: 'neither',
  detect: {
    linked: {
      'field-renamed': (seam, { change }) => saidOfRename(seam, change),
      'field-removed': (seam, { before }) => saidOfRemoval(seam, before),
      'member-absent': ({ problem, consumer, provider }) => {
        const [path, name] = splitId(problem.provider);
        const owner = name.slice(0, name.lastIndexOf('.'));
        return {
          ...common(problem, problem.provider),
          message: `${owner} has no ${name.slice(owner.length + 1)} with ${provider.ref} merged; ${consumer.ref} uses it`,
          suggestion: `agree on one set of members for ${owner}`,
          provider: ownerPlace(provider, path, owner),
        };
      },
      'key-absent': ({ problem, consumer, provider }) => {
        const [path, symbol] = splitId(problem.provider);
        const key = symbol.replace(/^default\./, '');
        return {
          ...common(problem, problem.provider),
          message: `${path} has no ${key} on ${provider.ref}, which ${consumer.ref} reads`,
          suggestion: `keep ${key} in ${path}, or read the key that took its place`,
          owner: 'consumer',
          provider: ownerPlace(provider, path, 'default'),
        };
      },
    },
  },
} satisfies Rule;
