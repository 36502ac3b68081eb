import type { Definition, Export, Facts, Import } from './facts.ts';

/** Lookup of facts by name. Built once per blob, however many trees contain it. */
export interface FactsIndex {
  definitions(container: string | null, name: string): readonly Definition[];
  members(container: string): ReadonlyMap<string, readonly Definition[]>;
  imports(local: string): readonly Import[];
  /** Imports inside functions and classes. */
  innerImports(local: string): readonly Import[];
  /** The first export of a name. */
  exported(name: string): Export | undefined;
  /** `export * from`. */
  readonly stars: readonly Export[];
  readonly moduleNames: ReadonlyMap<string, readonly Definition[]>;
  /** `''` for the module itself, `User` for members of a class. */
  readonly containers: Iterable<string>;
  readonly importedNames: ReadonlyMap<string, readonly Import[]>;
}

const indexes = new WeakMap<Facts, FactsIndex>();
const nothing: ReadonlyMap<string, readonly Definition[]> = new Map();

export function indexOf(facts: Facts): FactsIndex {
  const known = indexes.get(facts);
  if (known) return known;
  const byContainer = new Map<string, Map<string, Definition[]>>();
  for (const definition of facts.definitions) {
    const container = definition.container ?? '';
    const names = byContainer.get(container) ?? new Map<string, Definition[]>();
    byContainer.set(container, names);
    append(names, definition.name, definition);
  }
  const imports = new Map<string, Import[]>();
  const innerImports = new Map<string, Import[]>();
  for (const entry of facts.imports)
    if (entry.local !== null) append(entry.scope === '' ? imports : innerImports, entry.local, entry);
  const exports = new Map<string, Export>();
  for (const entry of facts.exports) if (!exports.has(entry.name)) exports.set(entry.name, entry);
  const members = (container: string) => byContainer.get(container) ?? nothing;
  const index: FactsIndex = {
    definitions: (container, name) => members(container ?? '').get(name) ?? [],
    members,
    imports: (local) => imports.get(local) ?? [],
    innerImports: (local) => innerImports.get(local) ?? [],
    exported: (name) => exports.get(name),
    stars: facts.exports.filter(({ name, from }) => name === '*' && from !== null),
    moduleNames: members(''),
    containers: byContainer.keys().toArray(),
    importedNames: imports,
  };
  indexes.set(facts, index);
  return index;
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** `User.save`: the part of a symbol id after the `#`. */
export function symbolPath(definition: Pick<Definition, 'container' | 'name'>): string {
  return definition.container === null ? definition.name : `${definition.container}.${definition.name}`;
}
