import type { CodeTree } from '../../../code/code-tree.ts';
import type { Definition, Use } from '../../../code/facts.ts';
import { symbolPath } from '../../../code/facts-index.ts';
import { place } from '../../../code/problem.ts';
import { symbolId } from '../../../model/identity.ts';
import type { DiagnosedProblem } from '../../diagnosis.ts';
import type { Side } from '../../side.ts';
import { pathInUnion, type SeamProblem, suspectsOf } from '../../union-problems.ts';
import { diagnoseSymbol } from './diagnose.ts';
import { significant } from './diagnosis-parts.ts';

/**
 * S10: a new use of a field that the other branch takes away from a type of which not every base is known. Linking is
 * silent there, since such a base may have the field too; the branch that took it away is proof enough to say so.
 */
export function lostMembers(a: Side, b: Side, union: CodeTree): DiagnosedProblem[] {
  return [...lostBetween(a, b, union), ...lostBetween(b, a, union)].map((seam) => ({
    ...seam,
    diagnosis: diagnoseSymbol(seam),
  }));
}

function* lostBetween(consumer: Side, provider: Side, union: CodeTree): Generator<SeamProblem> {
  const gone = fieldsTakenAway(provider);
  if (gone.size === 0) return;
  for (const path of suspectsOf(consumer, provider)) {
    const file = pathInUnion(path, union, consumer, provider);
    for (const use of union.facts(file)?.uses ?? []) {
      const [member = ''] = use.path;
      if (use.rootIs !== 'instance' || use.guarded || !gone.has(member)) continue;
      const type = union.typeNamed(file, use.root);
      const [definition] = type.is === 'definition' ? type.definitions : [];
      if (type.is !== 'definition' || !definition || !isShape(definition)) continue;
      const id = symbolId(type.path, `${symbolPath(definition)}.${member}`);
      if (gone.get(member) !== id || union.memberNamed(type, member).is !== 'unknown') continue;
      if (!isNewTo(provider, file, use)) continue;
      yield {
        problem: problemOf(file, use, id, `${symbolPath(definition)} has no ${member}`),
        consumer,
        provider,
      };
    }
  }
}

/** By name, the fields of interfaces and object types that a branch has removed or renamed and added nowhere else. */
function fieldsTakenAway({ delta }: Side): Map<string, string> {
  const gone = new Map<string, string>();
  const added = new Set<string>();
  for (const [id, changes] of delta) {
    const change = significant(changes);
    if (
      (change?.kind === 'removed' || change?.kind === 'renamed') &&
      change.before.definition.kind === 'field'
    )
      gone.set(change.before.definition.name, id);
    for (const each of changes) if (each.kind === 'added') added.add(each.after.definition.name);
  }
  for (const name of added) gone.delete(name);
  return gone;
}

/** Its own fields are all listed. A class is none: it may have taken back an override of what its base still has. */
function isShape({ kind, members }: Definition): boolean {
  return (kind === 'interface' || kind === 'type') && members?.open === false;
}

/** A branch that has the same use beside its own change is at ease with it. */
function isNewTo({ tree }: Side, file: string, { root, path: [member] }: Use): boolean {
  if (tree.git.blob(file) === undefined) return true;
  const uses = tree.facts(file)?.uses;
  return uses !== undefined && !uses.some((use) => use.root === root && use.path[0] === member);
}

function problemOf(file: string, use: Use, provider: string, statement: string): SeamProblem['problem'] {
  const consumer = symbolId(file, use.scope);
  return {
    kind: 'member-missing',
    key: JSON.stringify(['member-missing', consumer, provider, '']),
    consumer,
    provider,
    file,
    sites: [place(file, use, use.scope)],
    definedAt: [],
    proven: false,
    tier: 'R2',
    statement,
    mismatch: null,
    tried: [],
  };
}
