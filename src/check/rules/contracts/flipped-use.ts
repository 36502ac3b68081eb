import type { ChangedUse } from '#check/members/changed-calls.ts';
import type { Found } from '#check/rules/rule.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { contractProblem } from './contract.ts';

/** What something has become, and how new code still uses it. */
export interface Flip {
  readonly is: string;
  readonly does: string;
  readonly suggestion: string;
}

export function flippedUse({ consumer, provider, file, now }: ChangedUse, said: Flip): Found {
  const name = symbolPath(now.definition);
  const member = symbolId(now.path, name);
  const at = place(now.path, now.definition, name);
  const statement = `${name} is ${said.is}, and this ${said.does}`;
  const site = place(file, now.use, now.use.scope);
  return {
    problem: contractProblem('S07', file, site, member, at, statement),
    consumer,
    provider,
    diagnosis: {
      providerKey: member,
      confidence: 'likely',
      message: `${name} is ${said.is} on ${provider.ref}; ${consumer.ref} ${said.does}`,
      suggestion: said.suggestion,
      provider: { ...at, removed: false },
    },
  };
}
