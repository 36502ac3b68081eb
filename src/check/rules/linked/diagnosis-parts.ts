import type { ReadMember } from '#check/members/member.ts';
import type { SeamProblem } from '#check/members/union-problems.ts';
import { claim, claimLoss } from '#check/rules/claims/claim.ts';
import type { ProviderPlace } from '#check/rules/diagnosis.ts';
import type { Claimed, Said } from '#check/rules/rule.ts';
import type { Located, SymbolChange } from '#code/delta/symbol-delta.ts';
import type { Definition } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { givenKeys } from '#code/languages/shared/results.ts';
import { symbolId } from '#schema/identity.ts';
import type { NewPlace } from './cause.ts';

/** Common parts of most diagnoses of linked problems: the linker knows whether all facts were known. */
export function common(problem: SeamProblem['problem'], providerKey: string): CommonParts {
  return { providerKey, confidence: claim(problem) };
}

/** The same where the branch took away what base had. */
export function commonOfLoss(problem: SeamProblem['problem'], providerKey: string): CommonParts {
  return { providerKey, confidence: claimLoss(problem) };
}

type CommonParts = Pick<Claimed<Said>, 'providerKey' | 'confidence'>;

/** For a symbol or field with a new name. */
export function saidOfRename(
  { problem, consumer, provider }: SeamProblem,
  { before, after, exact }: NewPlace,
): Claimed<Said> {
  const from = spokenName(before.definition);
  const to = spokenName(after.definition);
  const guess = exact ? '' : ' (judged by similarity)';
  return {
    ...commonOfLoss(problem, idOf(before)),
    message: `${from} is now ${to} on ${provider.ref}${guess}; ${consumer.ref} still uses ${from}`,
    suggestion: `use ${after.definition.name} instead of ${before.definition.name}`,
    fix: { from: before.definition.name, to: after.definition.name },
    owner: 'consumer',
    provider: placeOf(after, false),
  };
}

/** For a symbol or field that is gone. */
export function saidOfRemoval({ problem, consumer, provider }: SeamProblem, before: Located): Claimed<Said> {
  const name = spokenName(before.definition);
  return {
    ...commonOfLoss(problem, idOf(before)),
    message: `${name} was removed from ${before.path} on ${provider.ref}; ${consumer.ref} uses it`,
    suggestion: `keep ${name}, or replace its use`,
    owner: 'neither',
    provider: placeOf(before, true),
  };
}

/** How people write it: `load()['name']` for the key `load.{}.name` of what a function returns. */
function spokenName(definition: Definition): string {
  const [owner, key] = symbolPath(definition).split(`.${givenKeys}.`);
  return key === undefined ? `${owner}` : `${owner}()['${key}']`;
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

/** For an inherited member: the only member of that name that the branch removed or renamed. */
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
