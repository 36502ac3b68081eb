import { type ChangedUse, changedTypes } from '#check/members/changed-calls.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { contractProblem } from './contracts/contract.ts';
import { common, definedPlace, splitId } from './linked/diagnosis-parts.ts';
import type { CodePair, Found, Rule } from './rule.ts';

export const typeParameterArity = {
  id: 'S16',
  name: 'type-parameter-arity',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript'],
  precision: 0.99,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'One branch changes the number or the order of the type parameters of a type; the other adds a use with the old number or order.',
  example: { a: ['- class Repo<T>', '+ class Repo<T, Key>'], b: ['+ class Users extends Repo<User> {}'] },
  move: 'Pass the new type argument, or give it a default.',
  proof: ['proven', 'likely'],
  owner: 'consumer',
  detect: {
    linked: {
      'type-parameters-changed': ({ problem, consumer, provider }) => {
        const [, name] = splitId(problem.provider);
        return {
          ...common(problem, problem.provider),
          message: `${problem.statement} since ${provider.ref} changed it; ${consumer.ref} uses ${name} the old way`,
          suggestion: `pass the type arguments that ${name} takes now, or give the new one a default`,
          provider: definedPlace(problem),
        };
      },
    },
    code: movedTypeArguments,
  },
} satisfies Rule;

/** The number of type arguments fits, but one of them now binds to another parameter. */
function movedTypeArguments({ a, b, union }: CodePair): Found[] {
  return changedTypes(a, b, union).flatMap((use) => (isMoved(use) ? [diagnosed(use)] : []));
}

function isMoved({ before, now }: ChangedUse): boolean {
  const given = now.use.typeArguments ?? 0;
  const old = before.definition.typeParameters;
  const current = now.definition.typeParameters;
  // A wrong number of arguments is reported by the linker.
  if (!old || !current || given < current.min || given > current.max) return false;
  return current.names.slice(0, given).some((name, at) => name !== old.names[at] && old.names.includes(name));
}

function diagnosed({ consumer, provider, file, before, now }: ChangedUse): Found {
  const name = symbolPath(now.definition);
  const type = symbolId(now.path, name);
  const at = place(now.path, now.definition, name);
  const old = `${name}<${before.definition.typeParameters?.names.join(', ')}>`;
  const current = `${name}<${now.definition.typeParameters?.names.join(', ')}>`;
  const site = place(file, now.use, now.use.scope);
  return {
    problem: contractProblem('S16', file, site, type, at, `${current}, not ${old}`),
    consumer,
    provider,
    diagnosis: {
      providerKey: type,
      confidence: 'likely',
      message: `${old} is ${current} on ${provider.ref}; ${consumer.ref} writes its arguments in the old order`,
      suggestion: `write the type arguments in the order of ${current}`,
      provider: { ...at, removed: false },
    },
  };
}
