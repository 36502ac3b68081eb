import type { Facts, Import } from './facts.ts';
import { indexOf } from './facts-index.ts';
import type { Resolution } from './resolve/resolution.ts';

/** One module loading another while it is loaded itself. */
export interface ImportEdge {
  readonly from: string;
  readonly to: string;
  /** As written: an edge is new when its specifier and name were not there before. */
  readonly key: string;
  readonly line: number;
  /** The name that must exist at that moment; null when the module itself is all that is needed. */
  readonly name: string | null;
  /** What is imported is used while the module is loaded, not only later. */
  readonly isUsedAtLoad: boolean;
}

interface Paths {
  resolve(specifier: string, fromPath: string): Resolution;
  submodule(packagePath: string, name: string): { readonly path: string | undefined };
}

/** The modules that a file loads as soon as it is loaded: not for types alone, not inside functions, not on condition. */
export function importEdges(facts: Facts, path: string, paths: Paths): ImportEdge[] {
  const imports = facts.imports
    .filter((entry) => isLoading(facts, entry))
    .map((entry) => edge(facts, path, entry, paths));
  const passedOn = facts.exports.flatMap((entry) => {
    if (entry.from === null || entry.typeOnly) return [];
    const target = paths.resolve(entry.from, path);
    if (target.status !== 'found') return [];
    const key = `${entry.from} ${entry.imported}`;
    return [{ from: path, to: target.path, key, line: entry.line, name: null, isUsedAtLoad: false }];
  });
  return [...imports.flatMap((found) => found ?? []), ...passedOn].filter(({ to }) => to !== path);
}

export function importKey({ from, imported }: Import): string {
  return `${from} ${imported}`;
}

function edge(facts: Facts, path: string, entry: Import, paths: Paths): ImportEdge | null {
  const target = paths.resolve(entry.from, path);
  if (target.status !== 'found') return null;
  const isNamed = entry.form === 'python' && entry.imported !== '*' && entry.imported !== '**';
  const inner = isNamed ? paths.submodule(target.path, entry.imported).path : undefined;
  return {
    from: path,
    to: inner ?? target.path,
    key: importKey(entry),
    line: entry.line,
    name: isNamed && inner === undefined ? entry.imported : null,
    isUsedAtLoad: entry.local !== null && isUsedAtLoad(facts, entry.local),
  };
}

function isLoading(facts: Facts, { form, typeOnly, guarded, scope, local }: Import): boolean {
  if (typeOnly || guarded || scope !== '' || form === 'dynamic') return false;
  // TypeScript drops an import that is used for types only.
  return form === 'python' || local === null || isValueUsed(facts, local);
}

function isValueUsed(facts: Facts, local: string): boolean {
  return (
    facts.uses.some(
      ({ root, rootIs, kind }) =>
        root === local && rootIs === 'name' && kind !== 'type' && kind !== 'implements',
    ) || facts.exports.some((entry) => entry.from === null && entry.local === local && !entry.typeOnly)
  );
}

function isUsedAtLoad(facts: Facts, local: string): boolean {
  const index = indexOf(facts);
  return facts.uses.some(({ root, rootIs, kind, scope }) => {
    if (root !== local || rootIs !== 'name' || kind === 'type' || kind === 'implements') return false;
    const [top = ''] = scope.split('.');
    const [definition] = index.definitions(null, top);
    if (scope === '' || !definition || definition.kind === 'variable' || definition.kind === 'enum')
      return true;
    return definition.kind === 'class' && scope === top && (kind === 'extends' || kind === 'decorator');
  });
}
