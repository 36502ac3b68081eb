import { type ChangedCall, type ChangedUse, changedMembers } from '#check/members/changed-calls.ts';
import type { ReadMember } from '#check/members/member.ts';
import type { Definition } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { noTokens } from '#code/lex/text-shape.ts';
import { contextManagers } from './contracts/context-managers.ts';
import { type BrokenContract, readsResult } from './contracts/contract.ts';
import { type Flip, flippedUse } from './contracts/flipped-use.ts';
import { brokenExpectation, tupleLength } from './contracts/return-types.ts';
import type { CodePair, Found, Rule } from './rule.ts';

export const returnContractChanged = {
  id: 'S07',
  name: 'return-contract-changed',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'python', 'go'],
  precision: 0.92,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch changes what a function returns: it may now be empty, has another shape or number of values, or is a method where it was a property. The other adds code that relies on the old result.',
  example: {
    a: ['- function find(id): User', '+ function find(id): User | undefined'],
    b: ['+ send(find(id).email);'],
  },
  move: 'Handle the new result where it is used.',
  proof: ['proven', 'likely'],
  owner: 'consumer',
  detect: {
    call: changedReturn,
    yieldsTo: ['S06', 'S08'],
    code: (pair) => [...propertiesAndMethods(pair), ...contextManagers(pair)],
  },
} satisfies Rule;

function changedReturn(change: ChangedCall): BrokenContract | null {
  if (change.now.use.call?.result === 'iterated') return changedElements(change) ?? changedType(change);
  return changedCount(change) ?? becameGenerator(change) ?? becameObject(change) ?? changedType(change);
}

/** Python: a call of a generator function runs nothing by itself, and its result has no parts to read. */
function becameGenerator({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const { call } = now.use;
  const isNow = now.definition.signature?.generator && !before.definition.signature?.generator;
  if (!isNow || !call || !dialectOf(now.path)?.calls.generatorsAreLazy) return null;
  const isSized = call.result === 'sized';
  if (!readsResult(call) && !isSized && call.result !== 'dropped') return null;
  const name = symbolPath(now.definition);
  const reads = isSized ? 'takes the length of the result' : 'reads a part of the result';
  const does = call.result === 'dropped' ? 'runs nothing of it' : reads;
  return {
    statement: `${name} is a generator, and this call ${does}`,
    message: `${name} is a generator on ${provider.ref}; ${consumer.ref} ${does}`,
    suggestion: `iterate over ${name}, or take list(${name}(…))`,
  };
}

/** Python: a class that cannot be iterated instead of the tuple that the new call takes apart. */
function becameObject({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const taken = now.use.call?.unpacked ?? null;
  const [old, current] = [before, now].map(({ definition }) => definition.signature?.returns ?? '');
  if (taken === null || tupleLength(old ?? '') !== taken) return null;
  if (!isOneValue(provider, now.path, current ?? '')) return null;
  const name = symbolPath(now.definition);
  return {
    statement: `${name} returns ${current}, not ${old}: it cannot be taken apart`,
    message: `${name} returns ${current} on ${provider.ref}, it was ${old}; ${consumer.ref} takes the result apart`,
    suggestion: `read the members of ${current}`,
  };
}

/** The name of a class whose instances cannot be iterated. */
function isOneValue(provider: ReadMember, path: string, text: string): boolean {
  if (!/^[A-Za-z_][\w.]*$/.test(text)) return false;
  const type = provider.tree.typeNamed(path, text);
  if (type.is !== 'definition' || !type.definitions.every(({ kind }) => kind === 'class')) return false;
  if (dialectOf(type.path)?.classes.instantiatedBy !== 'call') return false;
  return provider.tree.memberNamed(type, '__iter__').is === 'missing-name';
}

/** Python: the elements of the result have another number of parts than the new loop takes, or none. */
function changedElements({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const taken = now.use.call?.unpacked ?? null;
  const [old, current] = [before, now].map(
    ({ path, definition }) => dialectOf(path)?.calls.resultElement?.(definition) ?? null,
  );
  if (taken === null || !old || !current || tupleLength(old) !== taken) return null;
  const parts = tupleLength(current);
  if (parts === taken || (parts === null && !isOneValue(provider, now.path, current))) return null;
  const name = symbolPath(now.definition);
  return {
    statement: `${name} gives elements of type ${current}, not ${old}`,
    message: `${name} gives elements of type ${current} on ${provider.ref}, they were ${old}; ${consumer.ref} takes each apart into ${taken}`,
    suggestion: `take ${current} as the loop variable`,
  };
}

/** Go: the function gives more or fewer values than the new call takes. */
function changedCount({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const taken = now.use.call?.unpacked ?? null;
  const count = countOf(now);
  if (taken === null || count === null || count === taken || countOf(before) !== taken) return null;
  const name = symbolPath(now.definition);
  return {
    statement: `${name} returns ${values(count)}, not ${taken}`,
    message: `${name} returns ${values(count)} on ${provider.ref}; ${consumer.ref} takes ${values(taken)} from it`,
    suggestion: `take ${values(count)} where ${name} is called`,
    proven: now.exact,
  };
}

function countOf({ path, definition }: ChangedCall['now']): number | null {
  return dialectOf(path)?.calls.resultParts(definition)?.length ?? null;
}

function values(count: number): string {
  return count === 1 ? '1 value' : `${count} values`;
}

/** What a function without an annotation returned before it listed several values. */
const oneValue = 'one value';

/** The declared return type has changed, and the new call relies on the old one. */
function changedType({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const call = now.use.call;
  const old = before.definition.signature?.returns ?? null;
  const current = now.definition.signature?.returns ?? null;
  // Adding or removing an annotation does not change the value; what the statements show is no annotation.
  const isShown =
    old === null && current?.startsWith('tuple[?') === true && !before.definition.signature?.generator;
  if (!call || current === null || old === current || (old === null && !isShown)) return null;
  const broken = brokenExpectation(old ?? oneValue, current, call);
  if (broken === null) return null;
  const name = symbolPath(now.definition);
  return {
    statement: `${name} returns ${current}, not ${old ?? oneValue}: ${broken}`,
    message: `${name} returns ${current} on ${provider.ref}, it was ${old ?? oneValue}; ${consumer.ref} relies on the old result: ${broken}`,
    suggestion: `handle ${current} where ${name} is called`,
  };
}

/** A property became a method, or a method a property, and new code of the other branch uses it the old way. */
function propertiesAndMethods({ a, b, union }: CodePair): Found[] {
  return changedMembers(a, b, union).flatMap((use) => {
    const said = flipped(use);
    return said === null ? [] : [flippedUse(use, said)];
  });
}

function flipped({ before, now }: ChangedUse): Flip | null {
  const { use, definition } = now;
  if (use.guarded || (use.kind !== 'read' && use.kind !== 'call')) return null;
  const { name } = definition;
  if (isValue(before.definition) && definition.kind === 'method' && !use.call)
    return { is: 'a method', does: 'reads it as a value', suggestion: `call it: ${name}()` };
  if (before.definition.kind === 'method' && isValue(definition) && use.call)
    return { is: 'a property', does: 'calls it', suggestion: `read it without calling it: ${name}` };
  return null;
}

/** A property that is not a function, as far as its annotation shows. */
function isValue({ kind, signature, type, signatureHash }: Definition): boolean {
  if (kind === 'accessor') return true;
  const isAnnotated = kind === 'field' && signature === null && signatureHash !== noTokens;
  return isAnnotated && type !== null && !callable.test(type);
}

const callable =
  /(?:Handler|Callback|Function|Fn|Func|Listener|Predicate|Method|Action|Callable|Type|Mock\w{0,100})$/;
