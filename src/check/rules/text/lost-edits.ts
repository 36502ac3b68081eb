import type { ReadMember } from '#check/members/member.ts';
import type { Found, Said, TextPair } from '#check/rules/rule.ts';
import type { Located, SymbolChange } from '#code/delta/symbol-delta.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { elementOf, isPartOfResult, plainResult } from '#code/languages/shared/results.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import type { RuleId } from '#schema/rules.ts';
import { conflictOwner } from './conflict-owner.ts';
import { textProblem } from './text-problem.ts';

/** One branch removes or moves a symbol, the other edits it at its old place. */
export interface LostEdit {
  /** The branch that removed or moved the symbol, and the one that edited it. */
  readonly remover: ReadMember;
  readonly editor: ReadMember;
  readonly before: Located;
  /** The symbol as the editor has it. */
  readonly edited: Located;
  readonly gone:
    | { readonly kind: 'removed' }
    /** `moved`: unchanged, to another file. `rewritten`: renamed, or changed on the way. */
    | { readonly kind: 'moved' | 'rewritten'; readonly after: Located };
}

/** Edits that the union does not have, although their branch does. */
export function lostEdits({ a, b, union, conflicted }: Omit<TextPair, 'lostEdits'>): LostEdit[] {
  return [editsLostBetween(a, b), editsLostBetween(b, a)].flatMap((edits) =>
    oncePerPlace([...edits].filter((lost) => isLost(lost, union, conflicted))),
  );
}

/** What `module.exports = codes` exports is defined twice at one place, as `codes.TIMEOUT` and `TIMEOUT`: the longer name says more. */
function oncePerPlace(edits: readonly LostEdit[]): LostEdit[] {
  const byPlace = Map.groupBy(edits, ({ before: { path, definition } }) =>
    JSON.stringify([path, definition.line, definition.column]),
  );
  const nameOf = ({ before }: LostEdit) => symbolPath(before.definition);
  return [...byPlace.values()].flatMap((same) =>
    same.filter((each) => same.every((other) => nameOf(other).length <= nameOf(each).length)).slice(0, 1),
  );
}

type Gone = Extract<SymbolChange, { kind: 'removed' | 'moved' | 'renamed' }>;

function* editsLostBetween(remover: ReadMember, editor: ReadMember): Generator<LostEdit> {
  if (!shareFiles(remover, editor)) return;
  for (const [id, changes] of remover.delta) {
    const gone = changes.find(isGone);
    if (!gone || isGitRename(remover, gone) || isContainerGone(remover, gone) || isKeyOfResult(gone))
      continue;
    const edit = editor.delta.get(id)?.find(({ kind }) => kind === 'body' || kind === 'signature');
    if (edit && edit.kind !== 'added' && edit.kind !== 'removed')
      yield { remover, editor, before: gone.before, edited: edit.after, gone: whatBecame(gone) };
  }
}

function whatBecame(gone: Gone): LostEdit['gone'] {
  if (gone.kind === 'removed') return { kind: 'removed' };
  const isMove = gone.exact && gone.after.path !== gone.before.path;
  return { kind: isMove ? 'moved' : 'rewritten', after: gone.after };
}

/** Only then are the changed symbols of both compared. */
export function shareFiles(a: ReadMember, b: ReadMember): boolean {
  const ofA = new Set(a.changes.map(({ path, oldPath }) => oldPath ?? path));
  return b.changes.some(({ path, oldPath }) => ofA.has(oldPath ?? path));
}

function isGone(change: SymbolChange): change is Gone {
  return change.kind === 'removed' || change.kind === 'moved' || change.kind === 'renamed';
}

/** Git applies edits to a file that it detects as renamed. */
function isGitRename(side: ReadMember, gone: Gone): boolean {
  return gone.kind !== 'removed' && side.renames.get(gone.before.path) === gone.after.path;
}

/** What a function returns without a return type belongs to its body: an edit of a key is an edit of the function. */
function isKeyOfResult({ before }: Gone): boolean {
  const { definition } = before;
  return (
    isPartOfResult(definition) ||
    [plainResult, elementOf].some((part) => definition.container?.endsWith(`.${part}`))
  );
}

/** A member that is removed together with its class is reported once, for the class. */
function isContainerGone(side: ReadMember, { before }: Gone): boolean {
  const { container } = before.definition;
  return container !== null && (side.delta.get(symbolId(before.path, container))?.some(isGone) ?? false);
}

/**
 * Nothing is lost if the merged text has the edit. Where git merges a file without a conflict, it has every edit of both sides,
 * if only under another name: what one side renamed and rewrote looks removed.
 */
function isLost(
  { remover, before, edited, gone }: LostEdit,
  union: CodeTree,
  conflicted: ReadonlySet<string>,
): boolean {
  if (gone.kind === 'removed') {
    const places = [before.path, edited.path, remover.renames.get(before.path) ?? before.path];
    return places.some((path) => conflicted.has(path));
  }
  const now = definitionIn(union, gone.after);
  return now?.bodyHash === gone.after.definition.bodyHash && now.bodyHash !== edited.definition.bodyHash;
}

function definitionIn(tree: CodeTree, { path, definition }: Located) {
  const symbol = symbolPath(definition);
  return tree.facts(path)?.definitions.find((each) => symbolPath(each) === symbol);
}

/** Where git reports a conflict, the finding explains it and has the same owner. */
export function foundLost(
  rule: RuleId,
  pair: TextPair,
  { editor, remover, edited }: LostEdit,
  said: Omit<Said, 'sitesAreOfBranch'>,
): Found {
  const site = place(edited.path, edited.definition, symbolPath(edited.definition));
  const owner = pair.conflicted.has(edited.path) ? conflictOwner(pair) : undefined;
  return {
    problem: {
      ...textProblem(rule, [edited.path], said.message),
      consumer: site.symbol,
      provider: site.symbol,
      sites: [site],
    },
    consumer: editor,
    provider: remover,
    diagnosis: { ...said, sitesAreOfBranch: true, ...(owner ? { owner } : {}) },
  };
}

/** For a symbol with a new place or name. */
export function saidOfMove(
  { remover, editor, before }: LostEdit,
  after: Located,
): Omit<Said, 'confidence' | 'owner'> {
  const name = symbolPath(before.definition);
  const target = symbolPath(after.definition);
  const where = after.path === before.path ? target : `${target} of ${after.path}`;
  return {
    providerKey: symbolId(before.path, name),
    message: `${remover.ref} moves ${name} of ${before.path} to ${where}; ${editor.ref} changes it in the old place: the moved code does not have the change`,
    suggestion: `make the change of ${editor.ref} in ${where}`,
    provider: { ...place(after.path, after.definition, target), removed: false },
  };
}
