import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { BrokenContract } from '#check/rules/symbols/contracts.ts';
import type { Parameter } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';

/** S06: positional arguments of the new call land in other parameters than its branch means. */
export function swappedParameters({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const call = now.use.call;
  if (!call || call.positional === 0) return null;
  const old = positional(before.definition.signature?.parameters);
  const current = positional(now.definition.signature?.parameters);
  const moved = old
    .slice(0, call.positional)
    .find((name, index) => name !== '' && name !== current[index] && current.includes(name));
  if (moved === undefined) return null;
  const name = symbolPath(now.definition);
  return {
    rule: 'S06',
    statement: `${name} takes (${current.join(', ')}), not (${old.join(', ')})`,
    message: `${name} takes (${current.join(', ')}) on ${provider.ref}; ${consumer.ref} calls it in the order (${old.join(', ')})`,
    suggestion: `put the arguments of the new call in the order (${current.join(', ')})`,
  };
}

function positional(parameters: readonly Parameter[] = []): string[] {
  return parameters
    .filter(({ kind }) => kind === 'positional' || kind === 'positional-only')
    .map(({ name }) => name);
}
