import { type ChangedUse, changedMembers } from '#check/members/changed-calls.ts';
import type { ReadMember } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { contractProblem } from './contracts.ts';
import { followed } from './diagnosis-parts.ts';

/** S07: a property became a method, or a method a property, and new code of the other branch uses it the old way. */
export function propertiesAndMethods(a: ReadMember, b: ReadMember, union: CodeTree): DiagnosedProblem[] {
  return changedMembers(a, b, union).flatMap((use) => {
    const said = flipped(use);
    return said === null ? [] : [diagnosed(use, said)];
  });
}

interface Said {
  readonly is: string;
  readonly does: string;
  readonly suggestion: string;
}

function flipped({ before, now }: ChangedUse): Said | null {
  const { use, definition } = now;
  if (use.guarded || (use.kind !== 'read' && use.kind !== 'call')) return null;
  const { name } = definition;
  if (before.definition.kind === 'accessor' && definition.kind === 'method' && !use.call)
    return { is: 'a method', does: 'reads it as a value', suggestion: `call it: ${name}()` };
  if (before.definition.kind === 'method' && definition.kind === 'accessor' && use.call)
    return { is: 'a property', does: 'calls it', suggestion: `read it without calling it: ${name}` };
  return null;
}

function diagnosed({ consumer, provider, file, now }: ChangedUse, said: Said): DiagnosedProblem {
  const name = symbolPath(now.definition);
  const member = symbolId(now.path, name);
  const at = place(now.path, now.definition, name);
  const statement = `${name} is ${said.is}, and this ${said.does}`;
  const site = place(file, now.use, now.use.scope);
  return {
    problem: contractProblem(file, site, member, at, { rule: 'S07', statement }),
    consumer,
    provider,
    diagnosis: {
      rule: 'S07',
      providerKey: member,
      confidence: 'likely',
      message: `${name} is ${said.is} on ${provider.ref}; ${consumer.ref} ${said.does}`,
      suggestion: said.suggestion,
      fix: null,
      mechanical: followed,
      provider: { ...at, removed: false },
    },
  };
}
