import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { Parameter } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { BrokenContract } from './contracts/contract.ts';
import type { Rule } from './rule.ts';

export const parameterOrderSwapped = {
  id: 'S06',
  name: 'parameter-order-swapped',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.92,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch changes the order of parameters whose types are alike, or puts one of another kind in the place of one; the other adds a call in the old way. Mostly no type checker can see it; where one does, the finding blocks.',
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
function swappedParameters(changed: ChangedCall): BrokenContract | null {
  const { consumer, provider, before, now } = changed;
  const call = now.use.call;
  if (!call || call.positional === 0) return null;
  const old = positional(before.definition.signature?.parameters);
  const current = positional(now.definition.signature?.parameters);
  const moved = old
    .slice(0, call.positional)
    .find((name, index) => name !== '' && name !== current[index] && current.includes(name));
  const name = symbolPath(now.definition);
  if (moved === undefined) return replacedParameter(name, changed);
  return {
    statement: `${name} takes (${current.join(', ')}), not (${old.join(', ')})`,
    message: `${name} takes (${current.join(', ')}) on ${provider.ref}; ${consumer.ref} ${call.result === 'expected' ? 'expects a call' : 'calls it'} in the order (${old.join(', ')})`,
    suggestion: `put the arguments of the new ${call.result === 'expected' ? 'expectation' : 'call'} in the order (${current.join(', ')})`,
  };
}

/** Another parameter is now at the position of an argument of the new call, and it takes values of another kind. */
function replacedParameter(
  name: string,
  { consumer, provider, before, now }: ChangedCall,
): BrokenContract | null {
  const current = now.definition.signature?.parameters ?? [];
  const old = before.definition.signature?.parameters ?? [];
  const isChecked = dialectOf(now.path)?.isTypeChecked === true;
  const at = old.slice(0, now.use.call?.positional).findIndex((parameter, index) => {
    const instead = current[index];
    // Where nothing checks types, a new annotation of the same parameter may only describe what it took before.
    const isReplaced = instead && (isChecked || parameter.name !== instead.name);
    return isReplaced && isOther(parameter.type, instead.type);
  });
  const [was, is] = [old[at], current[at]];
  if (!was || !is) return null;
  return {
    statement: `${name} takes ${written(is)}, not ${written(was)}`,
    message: `${name} takes ${written(is)} on ${provider.ref}, where it took ${written(was)}; ${consumer.ref} still gives it ${was.name || was.type}`,
    suggestion: `give ${is.name || is.type} in the new call of ${name}`,
  };
}

/** `id: string`; a destructured parameter has no name. */
function written({ name, type }: Parameter): string {
  return name === '' ? `${type}` : `${name}: ${type}`;
}

/** Kinds of values by their built-in types; a named type may be an alias of one of them. */
const kinds: readonly ((type: string) => boolean)[] = [
  (type) => /^(?:str|string)$/.test(type),
  (type) => /^(?:int|float|number)$/.test(type),
  (type) => /^(?:bool|boolean)$/.test(type),
  (type) => /^(?:(?:typing\.)?(?:dict|Dict|Mapping)\b|Record<)/.test(type) || isObjectType(type),
  (type) => /^(?:(?:typing\.)?(?:list|List|tuple|Tuple|set|Set)\b|Array<|ReadonlyArray<)|\[\]$/.test(type),
];

/** `{ id: string }`, also with variants `{ … } | { … }`; not `{}`, which takes nearly everything, and not `{ … } | string`. */
function isObjectType(type: string): boolean {
  return type.startsWith('{') && type.endsWith('}') && /\w/.test(type) && !/\}\s*\|\s*[^{\s]/.test(type);
}

function isOther(old: string | null, current: string | null): boolean {
  const [was, is] = [old, current].map((type) => kinds.findIndex((isOfKind) => isOfKind(type ?? '')));
  return was !== -1 && is !== -1 && was !== is;
}

function positional(parameters: readonly Parameter[] = []): string[] {
  return parameters
    .filter(({ kind }) => kind === 'positional' || kind === 'positional-only')
    .map(({ name }) => name);
}
