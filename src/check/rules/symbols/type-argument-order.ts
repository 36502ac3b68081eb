import { type ChangedUse, changedTypes } from '#check/members/changed-calls.ts';
import type { ReadMember } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { contractProblem } from './contracts.ts';
import { followed } from './diagnosis-parts.ts';

/** S16: as many type arguments as there may be, but one of them now stands for another parameter. */
export function movedTypeArguments(a: ReadMember, b: ReadMember, union: CodeTree): DiagnosedProblem[] {
  return changedTypes(a, b, union).flatMap((use) => (isMoved(use) ? [diagnosed(use)] : []));
}

function isMoved({ before, now }: ChangedUse): boolean {
  const given = now.use.typeArguments ?? 0;
  const old = before.definition.typeParameters;
  const current = now.definition.typeParameters;
  // A number of arguments that does not fit is told by linking.
  if (!old || !current || given < current.min || given > current.max) return false;
  return current.names.slice(0, given).some((name, at) => name !== old.names[at] && old.names.includes(name));
}

function diagnosed({ consumer, provider, file, before, now }: ChangedUse): DiagnosedProblem {
  const name = symbolPath(now.definition);
  const type = symbolId(now.path, name);
  const at = place(now.path, now.definition, name);
  const old = `${name}<${before.definition.typeParameters?.names.join(', ')}>`;
  const current = `${name}<${now.definition.typeParameters?.names.join(', ')}>`;
  const site = place(file, now.use, now.use.scope);
  return {
    problem: contractProblem(file, site, type, at, { rule: 'S16', statement: `${current}, not ${old}` }),
    consumer,
    provider,
    diagnosis: {
      rule: 'S16',
      providerKey: type,
      confidence: 'likely',
      message: `${old} is ${current} on ${provider.ref}; ${consumer.ref} writes its arguments in the old order`,
      suggestion: `write the type arguments in the order of ${current}`,
      fix: null,
      mechanical: followed,
      provider: { ...at, removed: false },
    },
  };
}
