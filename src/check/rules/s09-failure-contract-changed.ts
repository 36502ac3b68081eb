import type { ChangedCall } from '#check/members/changed-calls.ts';
import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion } from '#check/members/union-problems.ts';
import type { Handler } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { place } from '#code/link/problem.ts';
import type { RaisedError } from '#code/link/raised-errors.ts';
import { type BrokenContract, contractProblem, readsResult } from './contracts/contract.ts';
import { splitId } from './linked/diagnosis-parts.ts';
import type { CodePair, Found, Rule } from './rule.ts';

export const failureContractChanged = {
  id: 'S09',
  name: 'failure-contract-changed',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.75,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch changes how a function reports failure, for instance by raising where it returned nothing, or gives an error another base class; the other adds a caller that checks the old way.',
  example: {
    a: ['-     return None', '+     raise NotFound(key)'],
    b: ['+ if get(key) is None:', '+     create(key)'],
  },
  move: 'Handle failure in the new way at the call. Read both sides: this rule judges by the shape of the code and can be wrong.',
  proof: ['likely'],
  owner: 'consumer',
  detect: {
    call: changedFailure,
    yieldsTo: ['S06', 'S07', 'S08'],
    code: uncaughtErrors,
  },
} satisfies Rule;

/** A function reports failure in another way, and the new call expects the old one. */
function changedFailure({ consumer, provider, before, now }: ChangedCall): BrokenContract | null {
  const call = now.use.call;
  const old = before.definition.failure;
  const current = now.definition.failure;
  if (!call || !old || !current) return null;
  const name = symbolPath(now.definition);
  const gained = current.raises.filter((error) => !old.raises.includes(error));
  if (old.returnsNothing && !current.returnsNothing && gained.length > 0 && call.result === 'tested') {
    return {
      statement: `${name} raises ${gained.join(', ')} where it returned nothing`,
      message: `${name} raises ${gained.join(', ')} on ${provider.ref} where it returned nothing; ${consumer.ref} checks whether it returned something`,
      suggestion: `catch ${gained.join(', ')} where ${name} is called`,
    };
  }
  const lost = old.raises.filter((error) => !current.raises.includes(error));
  if (!old.returnsNothing && current.returnsNothing && lost.length > 0 && readsResult(call)) {
    return {
      statement: `${name} returns nothing where it raised ${lost.join(', ')}`,
      message: `${name} returns nothing on ${provider.ref} where it raised ${lost.join(', ')}; ${consumer.ref} uses the result without checking it`,
      suggestion: `check whether ${name} returned something`,
    };
  }
  return null;
}

/** An error that no longer has the base class by which new code of the other branch catches it. */
function uncaughtErrors({ a, b, union }: CodePair): Found[] {
  return [...uncaughtBetween(a, b, union), ...uncaughtBetween(b, a, union)];
}

function* uncaughtBetween(consumer: ReadMember, provider: ReadMember, union: CodeTree): Generator<Found> {
  for (const path of consumer.suspects) {
    const own = consumer.tree.facts(path)?.handlers ?? [];
    if (own.length === 0) continue;
    const before = consumer.factsBefore(consumer.changed.get(path)?.oldPath ?? path);
    const old = new Set(before?.handlers?.map(handlerKey));
    const file = pathInUnion(path, union, consumer, provider);
    const merged = Map.groupBy(union.facts(file)?.handlers ?? [], handlerKey);
    for (const handler of own.filter((each) => !old.has(handlerKey(each)))) {
      const now = merged.get(handlerKey(handler))?.shift();
      if (!now) continue;
      const caught = new Set(consumer.tree.errors(path, handler).filter(isCaught).map(errorKey));
      for (const raised of union.errors(file, now))
        if (raised.isCaught === false && caught.has(errorKey(raised)))
          yield diagnosed(consumer, provider, union, file, now, raised);
    }
  }
}

function handlerKey({ scope, catches }: Handler): string {
  return JSON.stringify([scope, catches]);
}

function isCaught({ isCaught: is }: RaisedError): boolean {
  return is === true;
}

function errorKey({ use, error }: RaisedError): string {
  return `${use.root}.${use.path.join('.')} ${error}`;
}

function diagnosed(
  consumer: ReadMember,
  provider: ReadMember,
  union: CodeTree,
  file: string,
  { catches }: Handler,
  { use, error, path }: RaisedError,
): Found {
  const [, name] = splitId(error);
  const definition = union.facts(path)?.definitions.find((each) => symbolPath(each) === name);
  const at = place(path, definition ?? { line: 1, column: 1, endLine: 1 }, name);
  const caught = catches.join(', ');
  const callee = [use.root, ...use.path].join('.');
  const statement = `${callee} raises ${name}, which except ${caught} does not catch`;
  return {
    problem: contractProblem('S09', file, place(file, use, use.scope), error, at, statement),
    consumer,
    provider,
    diagnosis: {
      providerKey: error,
      confidence: 'likely',
      severity: 'important',
      message: `${name}, which ${callee} raises, has another base on ${provider.ref}; ${consumer.ref} catches ${caught}`,
      suggestion: `catch ${name} where ${callee} is called, or keep its base`,
      owner: 'neither',
      provider: { ...at, removed: false },
    },
  };
}
