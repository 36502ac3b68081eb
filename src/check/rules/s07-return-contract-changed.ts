import { type ChangedCall, type ChangedUse, changedMembers } from '#check/members/changed-calls.ts';
import type { Definition } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { noTokens } from '#code/lex/text-shape.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { type BrokenContract, contractProblem } from './contracts/contract.ts';
import { brokenExpectation } from './contracts/return-types.ts';
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
    code: propertiesAndMethods,
  },
} satisfies Rule;

function changedReturn(change: ChangedCall): BrokenContract | null {
  return changedCount(change) ?? changedType(change);
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

/** The declared return type has changed, and the new call relies on the old one. */
function changedType({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const call = now.use.call;
  const old = before.definition.signature?.returns ?? null;
  const current = now.definition.signature?.returns ?? null;
  // Adding or removing an annotation does not change the value.
  if (!call || old === null || current === null || old === current) return null;
  const broken = brokenExpectation(old, current, call);
  if (broken === null) return null;
  const name = symbolPath(now.definition);
  return {
    statement: `${name} returns ${current}, not ${old}: ${broken}`,
    message: `${name} returns ${current} on ${provider.ref}, it was ${old}; ${consumer.ref} relies on the old result: ${broken}`,
    suggestion: `handle ${current} where ${name} is called`,
  };
}

/** A property became a method, or a method a property, and new code of the other branch uses it the old way. */
function propertiesAndMethods({ a, b, union }: CodePair): Found[] {
  return changedMembers(a, b, union).flatMap((use) => {
    const said = flipped(use);
    return said === null ? [] : [diagnosed(use, said)];
  });
}

interface Flip {
  readonly is: string;
  readonly does: string;
  readonly suggestion: string;
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

function diagnosed({ consumer, provider, file, now }: ChangedUse, said: Flip): Found {
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
