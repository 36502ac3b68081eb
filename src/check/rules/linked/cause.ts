import type { ReadMember } from '#check/members/member.ts';
import type { SeamProblem } from '#check/members/union-problems.ts';
import type { Located, SymbolChange } from '#code/delta/symbol-delta.ts';
import type { Import } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf, dialects, packageOf } from '#code/languages/index.ts';
import { partsOfPackage } from '#code/languages/shared/packages.ts';
import { isResolutionDocument } from '#code/link/documents.ts';
import { symbolId } from '#schema/identity.ts';
import { isTestFile } from '#tests/code/test-path.ts';
import { changeOfMember, isField, isNewFile, isNewSymbol, significant, splitId } from './diagnosis-parts.ts';

/** What the provider's branch did to make a reference of the consumer's branch fail in their union. */
export type Cause =
  /** It moved the file that is imported. */
  | { readonly kind: 'module-moved'; readonly from: string; readonly to: string }
  /** It moved the file that imports: the path leads elsewhere from there. */
  | { readonly kind: 'importer-moved'; readonly from: string }
  /** It changed how imports are resolved: `tsconfig.json`, `package.json`, … */
  | { readonly kind: 'resolution-changed'; readonly missing: string; readonly documents: readonly string[] }
  /** `isSeen`: the deletion itself is among its changes. */
  | { readonly kind: 'module-deleted'; readonly missing: string; readonly isSeen: boolean }
  | { readonly kind: 'symbol-moved'; readonly change: NewPlace }
  | { readonly kind: 'symbol-renamed'; readonly change: NewPlace }
  | { readonly kind: 'symbol-removed'; readonly before: Located }
  | { readonly kind: 'field-renamed'; readonly change: NewPlace }
  | { readonly kind: 'field-removed'; readonly before: Located }
  /** It is no longer exported, or has a private name now. */
  | { readonly kind: 'symbol-hidden'; readonly before: Located; readonly after: Located }
  /** Python: `__all__` no longer lists a name that a star import imported. */
  | { readonly kind: 'star-narrowed'; readonly source: string }
  /** A barrel no longer re-exports the name. */
  | { readonly kind: 'barrel-narrowed' }
  /** It removed the import of the name, which was unused there. */
  | { readonly kind: 'import-dropped'; readonly entry: Import }
  /** It moved the code that uses the name into a scope without that name. */
  | { readonly kind: 'code-rehoused' }
  | { readonly kind: 'name-undefined' }
  /** The type has no such member, and no single change explains why. */
  | { readonly kind: 'member-absent' }
  /** A key of a data file that code imports. */
  | { readonly kind: 'key-absent' }
  /** It added the provider: both sides are new. */
  | { readonly kind: 'provider-added' }
  | { readonly kind: 'arity-changed' }
  | { readonly kind: 'keyword-gone' }
  | { readonly kind: 'type-parameters-changed' }
  | { readonly kind: 'member-required' }
  | { readonly kind: 'override-mismatched' }
  | { readonly kind: 'override-unfounded' }
  | { readonly kind: 'name-ambiguous' }
  | { readonly kind: 'definition-doubled' }
  | { readonly kind: 'key-doubled' };

/** Under another name, in another file, or both. */
export type NewPlace = Change<'moved' | 'renamed'>;
export type Change<Kind extends SymbolChange['kind']> = Extract<SymbolChange, { kind: Kind }>;

/** The cause of a problem that the linker finds in a union and in no member. */
export function causeOf(seam: SeamProblem): Cause {
  const { problem, provider } = seam;
  if (isKeyOfData(problem))
    return { kind: isNewFile(provider, splitId(problem.provider)[0]) ? 'provider-added' : 'key-absent' };
  const [, name] = splitId(problem.provider);
  const [outermost = name] = name.split('.');
  switch (problem.kind) {
    case 'module-missing':
      return causeOfModule(seam, problem.tried);
    case 'export-missing':
    case 'name-unbound':
      return causeOfName(seam);
    case 'member-missing':
      return causeOfMember(seam);
    case 'call-mismatch': {
      const hasUnknownKeyword = (problem.mismatch?.unexpected.length ?? 0) > 0;
      return unlessAdded(seam, [name, outermost], hasUnknownKeyword ? 'keyword-gone' : 'arity-changed');
    }
    case 'member-unimplemented':
      return unlessAdded(seam, [outermost], 'member-required');
    case 'override-mismatch':
      return unlessAdded(seam, [outermost], 'override-mismatched');
    case 'override-missing':
      return { kind: 'override-unfounded' };
    case 'type-arguments':
      return unlessAdded(seam, [name], 'type-parameters-changed');
    case 'ambiguous-name':
      return { kind: 'name-ambiguous' };
    case 'duplicate-key':
      return { kind: 'key-doubled' };
    default:
      return { kind: 'definition-doubled' };
  }
}

/**
 * A name that no branch took away, in a scope that may have more names than were read, where a branch alone already uses such names and
 * compiles: it says more about the reading than about the branches.
 */
export function isUnreadScope(seam: SeamProblem): boolean {
  const { problem, consumer, provider } = seam;
  if (problem.kind !== 'name-unbound' || problem.absence.openings.length === 0) return false;
  if (!dialectOf(problem.file)?.isTypeChecked || causeOf(seam).kind !== 'name-undefined') return false;
  return [consumer, provider].some(({ tree }) =>
    tree.linked(problem.file)?.problems.some(({ kind }) => kind === 'name-unbound'),
  );
}

export function isKeyOfData({ kind, provider }: SeamProblem['problem']): boolean {
  const isName = kind === 'export-missing' || kind === 'member-missing';
  return isName && dialectOf(splitId(provider)[0])?.holds === 'data';
}

/** The given kind, unless the provider's branch added one of these symbols of the file, or the file itself. */
function unlessAdded<const Kind extends Cause['kind']>(
  { problem, provider }: SeamProblem,
  symbols: readonly string[],
  kind: Kind,
): { readonly kind: Kind | 'provider-added' } {
  const [path] = splitId(problem.provider);
  const isAdded = symbols.some((symbol) => isNewSymbol(provider, symbolId(path, symbol)));
  return { kind: isAdded || isNewFile(provider, path) ? 'provider-added' : kind };
}

/** `tried`: the paths that would have satisfied the import. */
function causeOfModule({ problem, provider }: SeamProblem, tried: readonly string[]): Cause {
  const from = tried
    .flatMap((path) => [path, ...movedFiles(provider, path)])
    .find((path) => provider.renames.has(path));
  const to = from === undefined ? undefined : provider.renames.get(from);
  if (from !== undefined && to !== undefined) return { kind: 'module-moved', from, to };
  const [movedFrom] = [...provider.renames].find(([, path]) => path === problem.file) ?? [];
  if (movedFrom !== undefined) return { kind: 'importer-moved', from: movedFrom };
  const deleted = tried.find((path) =>
    provider.changes.some((change) => isAt(change.path, path) && change.status === 'deleted'),
  );
  const missing = deleted ?? tried[0] ?? problem.provider;
  const documents = provider.changes.flatMap(({ path }) => (isResolutionDocument(path) ? [path] : []));
  return deleted === undefined && documents.length > 0
    ? { kind: 'resolution-changed', missing, documents }
    : { kind: 'module-deleted', missing, isSeen: deleted !== undefined };
}

/** Files of a package that the branch moved: the whole folder is gone. */
function movedFiles({ renames }: ReadMember, path: string): string[] {
  return partsOfPackage(path) === null ? [] : [...renames.keys()].filter((from) => isAt(from, path));
}

function isAt(path: string, place: string): boolean {
  return path === place || packageOf(path) === place;
}

function causeOfName(seam: SeamProblem): Cause {
  const { problem, consumer, provider } = seam;
  const [path, name] = splitId(problem.provider);
  if (isSubmodule(provider, path, name)) return causeOfModule(seam, submodulePaths(path, name));
  const trace = consumer.tree.linked(path)?.trace.names;
  const folder = packageOf(path);
  // An unbound name may belong to something unrelated: only files that it can have come from count.
  const counts = (file: string) =>
    problem.kind !== 'name-unbound' ||
    trace?.has(file) === true ||
    (folder !== null && packageOf(file) === folder);
  const change = changeOfName(provider, originalId(provider, path, name), name, counts);
  switch (change?.kind) {
    case 'renamed':
      return isHidden(change)
        ? { kind: 'symbol-hidden', before: change.before, after: change.after }
        : { kind: 'symbol-renamed', change };
    case 'moved':
      return isCopied(provider, change)
        ? { kind: 'symbol-removed', before: change.before }
        : { kind: 'symbol-moved', change };
    case 'visibility':
      return { kind: 'symbol-hidden', before: change.before, after: change.after };
    case 'removed':
      return { kind: 'symbol-removed', before: change.before };
  }
  if (isNewFile(provider, path)) return { kind: 'provider-added' };
  return problem.kind === 'name-unbound' ? causeOfUnbound(seam, path, name) : { kind: 'barrel-narrowed' };
}

function causeOfUnbound(seam: SeamProblem, path: string, name: string): Cause {
  const { problem, provider } = seam;
  const source = narrowedStar(seam, path, name);
  if (source !== undefined) return { kind: 'star-narrowed', source };
  const entry = provider.factsBefore(path)?.imports.find(({ local }) => local === name);
  if (entry) return { kind: 'import-dropped', entry };
  return { kind: isNewSymbol(provider, problem.consumer) ? 'code-rehoused' : 'name-undefined' };
}

/** The file whose `__all__` no longer lists the name, although the file still defines it. */
function narrowedStar({ consumer, provider }: SeamProblem, path: string, name: string): string | undefined {
  const trace = consumer.tree.linked(path)?.trace.names;
  return provider.changes.find((change) => {
    const before = provider.factsBefore(change.oldPath ?? change.path);
    const after = provider.tree.facts(change.path);
    const wasPublic = before && (before.publicNames?.includes(name) ?? !name.startsWith('_'));
    return (
      trace?.has(change.path) &&
      wasPublic &&
      after?.publicNames &&
      !after.publicNames.includes(name) &&
      after.definitions.some((definition) => definition.name === name)
    );
  })?.path;
}

function causeOfMember(seam: SeamProblem): Cause {
  const { problem, provider } = seam;
  const [, name] = splitId(problem.provider);
  const owner = name.slice(0, name.lastIndexOf('.'));
  const member = name.slice(owner.length + 1);
  const change = significant(provider.delta.get(problem.provider)) ?? changeOfMember(provider, member);
  if (change?.kind === 'renamed')
    return { kind: isField(change.before) ? 'field-renamed' : 'symbol-renamed', change };
  if (change?.kind === 'removed')
    return { kind: isField(change.before) ? 'field-removed' : 'symbol-removed', before: change.before };
  if (change?.kind === 'visibility')
    return { kind: 'symbol-hidden', before: change.before, after: change.after };
  return unlessAdded(seam, [owner], 'member-absent');
}

/** Whether a name of a package was a file in its folder. */
function isSubmodule(side: ReadMember, path: string, name: string): boolean {
  return submodulePaths(path, name).some((candidate) =>
    side.changes.some(
      ({ path: now, oldPath, status }) => (oldPath ?? (status === 'deleted' ? now : null)) === candidate,
    ),
  );
}

function submodulePaths(path: string, name: string): string[] {
  return dialects.flatMap(({ imports }) => imports.submodulePaths(path, name));
}

/** The name under which a module defined an export: `export default parse` was `parse`. */
function originalId(side: ReadMember, path: string, name: string): string {
  const entry = side
    .factsBefore(path)
    ?.exports.find((candidate) => candidate.name === name && candidate.from === null);
  return symbolId(path, entry?.local ?? name);
}

/** The change of the symbol itself or, behind a barrel, of the one symbol of that name that the branch changed. */
function changeOfName(
  side: ReadMember,
  id: string,
  name: string,
  counts: (file: string) => boolean,
): SymbolChange | undefined {
  const own = significant(side.delta.get(id));
  if (own) return own;
  const elsewhere = [...side.delta.values()].flatMap((changes) => {
    const change = significant(changes);
    return change &&
      change.kind !== 'added' &&
      change.before.definition.container === null &&
      change.before.definition.name === name &&
      counts(change.before.path)
      ? [change]
      : [];
  });
  return elsewhere.length === 1 ? elsewhere[0] : undefined;
}

/** Nobody imports it from there: several files, or a test, define a copy of their own. */
function isCopied(side: ReadMember, { after }: NewPlace): boolean {
  const name = symbolPath(after.definition);
  const places = new Set(
    [...side.delta.values()].flatMap((changes) =>
      changes.flatMap((change) =>
        (change.kind === 'added' || change.kind === 'moved') && symbolPath(change.after.definition) === name
          ? [change.after.path]
          : [],
      ),
    ),
  );
  return places.size > 1 || isTestFile(after.path);
}

function isHidden({ before, after }: NewPlace): boolean {
  return dialectOf(after.path)?.names.hides(before.definition.name, after.definition.name) ?? false;
}
