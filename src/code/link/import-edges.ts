import type { Facts, Import } from '#code/facts/facts.ts';
import { indexOf } from '#code/facts/facts-index.ts';
import type { Resolution } from '#code/resolve/resolution.ts';

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
  /** Names that are used as values or passed on. */
  readonly values: ReadonlySet<string>;
  /** Names that are used while the module is loaded. */
  readonly atLoad: ReadonlySet<string>;
}

const known = new WeakMap<Facts, LocalUses>();

/** Read once per file: a module may have hundreds of imports and thousands of uses. */
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
