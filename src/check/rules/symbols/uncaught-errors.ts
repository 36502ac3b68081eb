import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion } from '#check/members/union-problems.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import type { Handler } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { place } from '#code/link/problem.ts';
import type { RaisedError } from '#code/link/raised-errors.ts';
import { contractProblem } from './contracts.ts';
import { neither, splitId } from './diagnosis-parts.ts';

/** S09: an error that left the class by which new code of the other branch catches it. */
export function uncaughtErrors(a: ReadMember, b: ReadMember, union: CodeTree): DiagnosedProblem[] {
  return [...uncaughtBetween(a, b, union), ...uncaughtBetween(b, a, union)];
}

function* uncaughtBetween(
  consumer: ReadMember,
  provider: ReadMember,
  union: CodeTree,
): Generator<DiagnosedProblem> {
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
): DiagnosedProblem {
  const [, name] = splitId(error);
  const definition = union.facts(path)?.definitions.find((each) => symbolPath(each) === name);
  const at = place(path, definition ?? { line: 1, column: 1, endLine: 1 }, name);
  const caught = catches.join(', ');
  const callee = [use.root, ...use.path].join('.');
  const statement = `${callee} raises ${name}, which except ${caught} does not catch`;
  return {
    problem: contractProblem(file, place(file, use, use.scope), error, at, { rule: 'S09', statement }),
    consumer,
    provider,
    diagnosis: {
      rule: 'S09',
      providerKey: error,
      confidence: 'likely',
      severity: 'important',
      message: `${name}, which ${callee} raises, has another base on ${provider.ref}; ${consumer.ref} catches ${caught}`,
      suggestion: `catch ${name} where ${callee} is called, or keep its base`,
      fix: null,
      mechanical: neither,
      provider: { ...at, removed: false },
    },
  };
}
