import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { Parameter } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { BrokenContract } from './contracts/contract.ts';
import type { Rule } from './rule.ts';

export const parameterOrderSwapped = {
  id: 'S06',
  name: 'parameter-order-swapped',
  category: 'interface',
  severity: 'important',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.92,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 15, real: 15 },
  what: 'One branch changes the order of parameters whose types are alike; the other adds a call in the old order. Mostly no type checker can see it; where one does, the finding blocks.',
  example: {
    a: ['- function copy(from: string, to: string)', '+ function copy(to: string, from: string)'],
    b: ['+ copy(draft, published);'],
  },
  move: 'Swap the arguments of the new call; an options object would make the next change safe.',
  proof: ['likely'],
  owner: 'consumer',
  detect: {
    call: swappedParameters,
    readsExpectations: true,
    yieldsTo: ['S08'],
  },
} satisfies Rule;

/** Positional arguments of the new call bind to other parameters than its branch expects. */
function swappedParameters({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
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
    statement: `${name} takes (${current.join(', ')}), not (${old.join(', ')})`,
    message: `${name} takes (${current.join(', ')}) on ${provider.ref}; ${consumer.ref} ${call.result === 'expected' ? 'expects a call' : 'calls it'} in the order (${old.join(', ')})`,
    suggestion: `put the arguments of the new ${call.result === 'expected' ? 'expectation' : 'call'} in the order (${current.join(', ')})`,
  };
}

function positional(parameters: readonly Parameter[] = []): string[] {
  return parameters
    .filter(({ kind }) => kind === 'positional' || kind === 'positional-only')
    .map(({ name }) => name);
}
