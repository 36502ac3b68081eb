import type { Definition, Export, Facts, Import } from './facts.ts';
import { symbolPath } from './facts-index.ts';

/** Three versions of one file: two that changed it and their common base; undefined when both added it. */
export interface Versions {
  readonly base: Facts | undefined;
  readonly own: Facts;
  readonly other: Facts;
}

/**
 * The facts of a file after a conflict is resolved so that no side's work is lost: each side's version decides what it added, changed and
 * removed. References are those of `own`. Where both sides changed something, `prefers` decides; a caller that tries both values learns
 * what does not depend on it.
 */
export function mergeFacts(versions: Versions, prefers: 'own' | 'other'): Facts {
  const { own, other } = versions;
  const groups = groupsOf(versions);
  const merged = <Entry>(of: readonly Group<Entry>[]) =>
    of.flatMap((group) => {
      if (group.isContested) return group[prefers];
      return group.isOtherChanged ? group.other : group.own;
    });
  return {
    syntaxError: null,
    module: own.module,
    definitions: merged(groups.definitions),
    imports: merged(groups.imports),
    exports: merged(groups.exports),
    publicNames: publicNames(versions, prefers),
    uses: own.uses,
    switches: own.switches,
    comparisons: own.comparisons,
    opaque: [...new Set([...own.opaque, ...other.opaque])],
    unread: own.unread || other.unread ? [...(own.unread ?? []), ...(other.unread ?? [])] : undefined,
    duplicateKeys: [],
    unchecked: own.unchecked,
    augments: own.augments,
  };
}

/** Whether both sides changed the same thing differently. */
export function isContested(versions: Versions): boolean {
  const { definitions, imports, exports } = groupsOf(versions);
  return (
    [...definitions, ...imports, ...exports].some((group) => group.isContested) ||
    String(publicNames(versions, 'own')) !== String(publicNames(versions, 'other'))
  );
}

/** The entries of one name in the two versions that changed the file. */
interface Group<Entry> {
  readonly name: string;
  readonly own: readonly Entry[];
  readonly other: readonly Entry[];
  readonly isOtherChanged: boolean;
  /** Both sides changed it differently. */
  readonly isContested: boolean;
}

function groupsOf(versions: Versions): {
  readonly definitions: Group<Definition>[];
  readonly imports: Group<Import>[];
  readonly exports: Group<Export>[];
} {
  const definitions = grouped(
    versions,
    ({ definitions }) => definitions,
    symbolPath,
    shapeOf,
    definitionText,
  );
  const contested = new Set(
    definitions.flatMap(({ name, isContested }) => (isContested ? (name.split('.')[0] ?? '') : [])),
  );
  const exports = grouped(versions, ({ exports }) => exports, exportName, exportText, exportText);
  return {
    definitions,
    imports: grouped(versions, ({ imports }) => imports, importName, importText, importText),
    // An export is contested with the name it exports.
    exports: exports.map((group) => {
      const goesWith = [...group.own, ...group.other].some(({ local }) => contested.has(local ?? ''));
      const isSame = String(group.own.map(exportText)) === String(group.other.map(exportText));
      return { ...group, isContested: group.isContested || (goesWith && !isSame) };
    }),
  };
}

/** `shape`: what others see of an entry. `whole`: everything; one side may remove an entry that the other changed inside. */
function grouped<Entry>(
  { base, own, other }: Versions,
  entriesOf: (facts: Facts) => readonly Entry[],
  nameOf: (entry: Entry) => string,
  shape: (entry: Entry) => string,
  whole: (entry: Entry) => string,
): Group<Entry>[] {
  const byName = (facts: Facts | undefined) => Map.groupBy(facts ? entriesOf(facts) : [], nameOf);
  const [before, mine, theirs] = [byName(base), byName(own), byName(other)];
  return [...new Set([before, mine, theirs].flatMap((names) => [...names.keys()]))].map((name) => {
    const old = before.get(name) ?? [];
    const versions = { own: mine.get(name) ?? [], other: theirs.get(name) ?? [] };
    const isGone = versions.own.length === 0 || versions.other.length === 0;
    const textOf = (entries: readonly Entry[]) => entries.map(isGone ? whole : shape).join('\n');
    const isOwnChanged = textOf(versions.own) !== textOf(old);
    const isOtherChanged = textOf(versions.other) !== textOf(old);
    const isAlike = textOf(versions.own) === textOf(versions.other);
    return { name, ...versions, isOtherChanged, isContested: isOwnChanged && isOtherChanged && !isAlike };
  });
}

/** What others see of a definition. The properties are listed, because packed definitions have no own keys. */
function shapeOf(definition: Definition): string {
  const { kind, signatureHash, signature, type, bases, implements: promised, typeParameters } = definition;
  const { literals, members, async, static: isStatic, abstract, overrides, optional } = definition;
  const { decorators, failure, overload, conditional, ambient } = definition;
  const marks = [async, isStatic, abstract, overrides, optional, overload, conditional, ambient];
  return JSON.stringify([
    [kind, signatureHash, signature, type, bases, promised, typeParameters],
    [literals, members, decorators, failure, marks],
  ]);
}

/** Also covers the body of a function and all members of a class. */
function definitionText(definition: Definition): string {
  return `${shapeOf(definition)} ${definition.bodyHash}`;
}

function importText({ local, imported, from, form, typeOnly, guarded, scope }: Import): string {
  return JSON.stringify([local, imported, from, form, typeOnly, guarded, scope]);
}

function exportText({ name, local, from, imported, typeOnly }: Export): string {
  return JSON.stringify([name, local, from, imported, typeOnly]);
}

function importName({ local, imported, from, scope }: Import): string {
  return `${scope} ${local ?? `${from} ${imported}`}`;
}

function exportName({ name, from }: Export): string {
  return name === '*' ? `* ${from}` : name;
}

/** Names are added and removed one by one, if each version lists them. */
function publicNames({ base, own, other }: Versions, prefers: 'own' | 'other'): readonly string[] | null {
  const [old, mine, theirs] = [base?.publicNames ?? null, own.publicNames, other.publicNames];
  if (String(mine) === String(old)) return theirs;
  if (String(theirs) === String(old)) return mine;
  if (!mine || !theirs) return prefers === 'own' ? mine : theirs;
  const before = old ?? [];
  const kept = before.filter((name) => mine.includes(name) && theirs.includes(name));
  const added = [...mine, ...theirs].filter((name) => !before.includes(name));
  return [...new Set([...kept, ...added])];
}
