import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { BrokenContract } from '#check/rules/symbols/contracts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';

/** S09: a function fails in another way than before, and the new call expects the old one. */
export function changedFailure({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const call = now.use.call;
  const old = before.definition.failure;
  const current = now.definition.failure;
  if (!call || !old || !current) return null;
  const name = symbolPath(now.definition);
  const gained = current.raises.filter((error) => !old.raises.includes(error));
  if (old.returnsNothing && !current.returnsNothing && gained.length > 0 && call.result === 'tested') {
    return {
      rule: 'S09',
      statement: `${name} raises ${gained.join(', ')} where it returned nothing`,
      message: `${name} raises ${gained.join(', ')} on ${provider.ref} where it returned nothing; ${consumer.ref} asks whether it returned something`,
      suggestion: `catch ${gained.join(', ')} where ${name} is called`,
    };
  }
  const lost = old.raises.filter((error) => !current.raises.includes(error));
  if (!old.returnsNothing && current.returnsNothing && lost.length > 0 && call.result === 'member') {
    return {
      rule: 'S09',
      statement: `${name} returns nothing where it raised ${lost.join(', ')}`,
      message: `${name} returns nothing on ${provider.ref} where it raised ${lost.join(', ')}; ${consumer.ref} reads from the result without asking`,
      suggestion: `ask whether ${name} returned something`,
    };
  }
  return null;
}
