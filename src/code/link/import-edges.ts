import type { Facts, Import } from '#code/facts/facts.ts';
import { indexOf } from '#code/facts/facts-index.ts';
import type { Resolution } from '#code/resolve/resolution.ts';

/** An import between modules that runs while the importing module loads. */
export interface ImportEdge {
  readonly from: string;
  readonly to: string;
  /** As written: an edge is new when its specifier and name did not exist before. */
  readonly key: string;
  readonly line: number;
  /** The name that must exist at that moment; null when only the module itself is needed. */
  readonly name: string | null;
  /** The import is used while the module loads, not only later. */
  readonly isUsedAtLoad: boolean;
}

interface Paths {
  resolve(specifier: string, fromPath: string): Resolution;
  submodule(packagePath: string, name: string): { readonly path: string | undefined };
}

/** The modules that a file loads when it is loaded: not type-only, not inside functions, not conditionally. */
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
  const isNamed = entry.form === 'executed' && entry.imported !== '*' && entry.imported !== '**';
  const inner = isNamed ? paths.submodule(target.path, entry.imported).path : undefined;
  return {
    from: path,
    to: inner ?? target.path,
    key: importKey(entry),
    line: entry.line,
    name: isNamed && inner === undefined ? entry.imported : null,
    isUsedAtLoad: entry.local !== null && localUses(facts).atLoad.has(entry.local),
  };
}

function isLoading(facts: Facts, { form, typeOnly, guarded, scope, local }: Import): boolean {
  if (typeOnly || guarded || scope !== '' || form === 'dynamic') return false;
  // TypeScript drops an import that is used for types only.
  return form === 'executed' || local === null || localUses(facts).values.has(local);
}

interface LocalUses {
  /** Names that are used as values or re-exported. */
  readonly values: ReadonlySet<string>;
  /** Names that are used while the module loads. */
  readonly atLoad: ReadonlySet<string>;
}

const known = new WeakMap<Facts, LocalUses>();

/** Computed once per file: a module may have hundreds of imports and thousands of uses. */
function localUses(facts: Facts): LocalUses {
  const uses = known.get(facts) ?? readUses(facts);
  known.set(facts, uses);
  return uses;
}

function readUses(facts: Facts): LocalUses {
  const index = indexOf(facts);
  const values = new Set<string>();
  const atLoad = new Set<string>();
  for (const { root, rootIs, kind, scope } of facts.uses) {
    if (rootIs !== 'name' || kind === 'type' || kind === 'implements') continue;
    values.add(root);
    if (atLoad.has(root)) continue;
    const [top = ''] = scope.split('.');
    const [definition] = index.definitions(null, top);
    const isPlain =
      scope === '' || !definition || definition.kind === 'variable' || definition.kind === 'enum';
    const isOfClass =
      definition?.kind === 'class' && scope === top && (kind === 'extends' || kind === 'decorator');
    if (isPlain || isOfClass) atLoad.add(root);
  }
  for (const { from, local, typeOnly } of facts.exports)
    if (from === null && local !== null && !typeOnly) values.add(local);
  return { values, atLoad };
}
