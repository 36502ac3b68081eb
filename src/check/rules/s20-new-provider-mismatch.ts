import type { SeamProblem } from '#check/members/union-problems.ts';
import type { ProviderPlace } from './diagnosis.ts';
import { isKeyOfData } from './linked/cause.ts';
import { common, definedPlace, modulePlace, ownerPlace, splitId } from './linked/diagnosis-parts.ts';
import type { Rule } from './rule.ts';

export const newProviderMismatch = {
  id: 'S20',
  name: 'new-provider-mismatch',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.98,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'Both sides are new: one branch provides something, the other uses it and expects another name or shape. Alone, the using branch only lacks its provider; together, they disagree.',
  example: {
    a: ['+ class User:', '+     id: int', '+     name: str'],
    b: ['+ def title(user: User):', '+     return user.display_name'],
  },
  move: 'Agree on one name and shape; either side can follow.',
  proof: ['proven', 'likely'],
  owner: 'either',
  entails: 'missing-types',
  detect: {
    linked: {
      'provider-added': (seam) => ({
        ...common(seam.problem, seam.problem.provider),
        ...disagreement(seam),
        suggestion: 'agree on one name and shape; either side can follow the other',
      }),
    },
  },
} satisfies Rule;

/** What one side expects and the other does not provide. */
function disagreement({ problem, consumer, provider }: SeamProblem): {
  readonly message: string;
  readonly provider: ProviderPlace | null;
} {
  const [path, name] = splitId(problem.provider);
  const at = definedPlace(problem);
  if (isKeyOfData(problem)) {
    const key = name.replace(/^default\./, '');
    return {
      message: `${path} has no ${key} on ${provider.ref}, which ${consumer.ref} reads`,
      provider: ownerPlace(provider, path, 'default'),
    };
  }
  switch (problem.kind) {
    case 'member-missing': {
      const owner = name.slice(0, name.lastIndexOf('.'));
      return {
        message: `${owner}, new on ${provider.ref}, has no ${name.slice(owner.length + 1)}, which ${consumer.ref} uses`,
        provider: ownerPlace(provider, path, owner),
      };
    }
    case 'call-mismatch':
      return {
        message: `${problem.statement}, as ${provider.ref} defines it; ${consumer.ref} calls it differently`,
        provider: at,
      };
    case 'type-arguments':
      return {
        message: `${problem.statement}, as ${provider.ref} defines it; ${consumer.ref} uses it differently`,
        provider: at,
      };
    case 'member-unimplemented':
      return { message: `${problem.statement}, as ${provider.ref} defines it`, provider: at };
    case 'override-mismatch':
      return { message: `${problem.statement}, as ${provider.ref} defines that`, provider: at };
    default:
      return {
        message: `${path}, new on ${provider.ref}, has no ${name}, which ${consumer.ref} imports`,
        provider: modulePlace(path, false),
      };
  }
}
