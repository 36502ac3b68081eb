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
 * S02, S10: a new use of a member that the other branch takes away from a type of which not every base is known. Linking
 * is silent there, since such a base may have it too; that the branch took it away is reason enough to say so.
 */
export function lostMembers(a: Side, b: Side, union: CodeTree): DiagnosedProblem[] {
  return [...lostBetween(a, b, union), ...lostBetween(b, a, union)].map((seam) => ({
    ...seam,
    diagnosis: diagnoseSymbol(seam),
  }));
}

function* lostBetween(consumer: Side, provider: Side, union: CodeTree): Generator<SeamProblem> {
  const suspects = [...suspectsOf(consumer, provider)];
  const gone = suspects.length === 0 ? null : takenAway(provider);
  if (!gone || gone.size === 0) return;
  for (const path of suspects) {
    const file = pathInUnion(path, union, consumer, provider);
    for (const use of union.facts(file)?.uses ?? []) {
      const [member = ''] = use.path;
      const changes = gone.get(member);
      if (use.guarded || !changes) continue;
      const type = union.typeNamed(file, use.root);
      const [definition] = type.is === 'definition' ? type.definitions : [];
      if (type.is !== 'definition' || !definition) continue;
      const id = symbolId(type.path, `${symbolPath(definition)}.${member}`);
      const change = changes.find((each) => each.id === id);
      if (!change || !tells(definition, use, change)) continue;
      if (union.memberNamed(type, member).is !== 'unknown') continue;
      if (!isNewTo(provider, file, use)) continue;
      yield {
        problem: problemOf(file, use, id, `${symbolPath(definition)} has no ${member}`),
        consumer,
        provider,
      };
    }
  }
}

interface TakenAway {
  readonly id: string;
  readonly renamed: boolean;
}

/** By name, the members that a branch has renamed, or fields that it has removed, and added nowhere else. */
function takenAway({ delta }: Side): Map<string, TakenAway[]> {
  const gone = new Map<string, TakenAway[]>();
  const added = new Set<string>();
  for (const [id, changes] of delta) {
    const change = significant(changes);
    if (change?.kind === 'removed' || change?.kind === 'renamed') {
      const { name, kind, container } = change.before.definition;
      const renamed = change.kind === 'renamed';
      if (container !== null && (renamed || kind === 'field'))
        gone.set(name, [...(gone.get(name) ?? []), { id, renamed }]);
    }
    for (const each of changes) if (each.kind === 'added') added.add(each.after.definition.name);
  }
  for (const name of added) gone.delete(name);
  return gone;
}

/**
 * Object types list their own fields. A class may have taken back an override of what its base still has, so that only
 * another name counts; it is also reached by its own name.
 */
function tells({ kind, members }: Definition, { rootIs }: Use, { renamed }: TakenAway): boolean {
  if (members?.open !== false) return false;
  return kind === 'class' ? renamed : rootIs === 'instance' && (kind === 'interface' || kind === 'type');
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
