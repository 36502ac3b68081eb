import type { Definition, Facts } from '#code/facts/facts.ts';
import { type FactsIndex, indexOf } from '#code/facts/facts-index.ts';

/** The definitions of one file of a package. */
export interface InPackage {
  readonly path: string;
  readonly definitions: readonly Definition[];
}

/** Which files of a package define a name. A package may have hundreds of files, and each use of a name asks. */
export class PackageIndex {
  /** `User` → the files with members of `User`, in the order of files. */
  readonly #byContainer = new Map<string, { readonly path: string; readonly index: FactsIndex }[]>();
  /** Names of the package itself, which nearly every file has. */
  readonly #topLevel = new Map<string, InPackage[]>();

  constructor(files: readonly { readonly path: string; readonly facts: Facts }[]) {
    for (const { path, facts } of files) {
      const index = indexOf(facts);
      for (const container of index.containers)
        if (container !== '') append(this.#byContainer, container, { path, index });
      for (const [name, definitions] of index.moduleNames)
        append(this.#topLevel, name, { path, definitions });
    }
  }

  definitions(container: string | null, name: string): InPackage[] {
    if (container === null || container === '') return this.#topLevel.get(name) ?? [];
    return (this.#byContainer.get(container) ?? []).flatMap(({ path, index }) => {
      const definitions = index.definitions(container, name);
      return definitions.length > 0 ? [{ path, definitions }] : [];
    });
  }
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
