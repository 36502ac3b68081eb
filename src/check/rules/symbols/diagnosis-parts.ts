import type { ReadMember } from '#check/members/member.ts';
import type { SeamProblem } from '#check/members/union-problems.ts';
import type { Diagnosis, ProviderPlace } from '#check/rules/diagnosis.ts';
import type { Located, SymbolChange } from '#code/delta/symbol-delta.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { symbolId } from '#schema/identity.ts';

/** Whose adaptation is mechanical. */
export const followed = { consumer: true, provider: false };
export const neither = { consumer: false, provider: false };
export const both = { consumer: true, provider: true };

export function common(
  problem: SeamProblem['problem'],
  providerKey: string,
): Pick<Diagnosis, 'providerKey' | 'confidence' | 'fix'> {
  return { providerKey, confidence: problem.proven ? 'proven' : 'likely', fix: null };
}

export function definedPlace({ definedAt: [place] }: SeamProblem['problem']): ProviderPlace | null {
  return place ? { ...place, removed: false } : null;
}

export function modulePlace(file: string, removed: boolean): ProviderPlace {
  return { file, line: 1, column: 1, endLine: 1, symbol: symbolId(file, ''), removed };
}

export function isNewFile(side: ReadMember, path: string): boolean {
  return side.changes.some((change) => change.path === path && change.status === 'added');
}

export function isNewSymbol(side: ReadMember, id: string): boolean {
  return side.delta.get(id)?.some(({ kind }) => kind === 'added') ?? false;
}

export function ownerPlace(side: ReadMember, path: string, owner: string): ProviderPlace | null {
  const definition = side.tree.facts(path)?.definitions.find((candidate) => symbolPath(candidate) === owner);
  return definition ? placeOf({ path, definition }, false) : null;
}

export function placeOf({ path, definition }: Located, isRemoved: boolean): ProviderPlace {
  return {
    file: path,
    line: definition.line,
    column: definition.column,
    endLine: definition.endLine,
    symbol: symbolId(path, symbolPath(definition)),
    removed: isRemoved,
  };
}

export function idOf({ path, definition }: Located): string {
  return symbolId(path, symbolPath(definition));
}

export function splitId(id: string): [string, string] {
  const at = id.lastIndexOf('#');
  return [id.slice(0, at), id.slice(at + 1)];
}

export function mismatchWithNew(
  { problem }: SeamProblem,
  message: string,
  provider: ProviderPlace | null,
): Diagnosis {
  return {
    ...common(problem, problem.provider),
    rule: 'S20',
    message,
    suggestion: 'agree on one name and shape; either side can follow the other',
    mechanical: both,
    provider,
  };
}

/** Inherited: the one member of that name which the branch took away from some class. */
export function changeOfMember(side: ReadMember, name: string): SymbolChange | undefined {
  const found = [...side.delta.values()].flatMap((changes) => {
    const change = significant(changes);
    const isIt =
      (change?.kind === 'renamed' || change?.kind === 'removed') &&
      change.before.definition.container !== null &&
      change.before.definition.name === name;
    return isIt ? [change] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

export function significant(changes: readonly SymbolChange[] | undefined): SymbolChange | undefined {
  return (
    changes?.find(({ kind }) => kind === 'renamed' || kind === 'moved' || kind === 'removed') ??
    changes?.find((change) => change.kind === 'visibility' && !change.exported)
  );
}

export function isField({ definition }: Located): boolean {
  return definition.kind !== 'method' && definition.kind !== 'function';
}
