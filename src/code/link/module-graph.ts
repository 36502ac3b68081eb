import type { Definition, Export, Facts, Import } from '#code/facts/facts.ts';
import { indexOf } from '#code/facts/facts-index.ts';
import type { Submodule } from '#code/languages/dialect.ts';
import { dialectOf, packageOf } from '#code/languages/index.ts';
import { wholeFile } from '#code/languages/shared/data-facts.ts';
import { partsOfPackage } from '#code/languages/shared/packages.ts';
import { readImportedInside } from '#code/languages/shared/results.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import { remembered } from '#lib/remembered.ts';
import { type Absence, absent, absentFromModule, alsoOpen, isClosed } from './absence.ts';
import { type InPackage, PackageIndex } from './package-index.ts';
import type { Trace } from './trace.ts';

/** A value whose type is written in a file. */
export interface Declared {
  readonly is: 'declared';
  readonly path: string;
  readonly text: string;
  /** The definition that has this type: type parameters around it are not types of the module. */
  readonly owner: Definition | null;
  readonly arguments?: TypeArguments | undefined;
  readonly exact: boolean;
}

/** Type parameters by name. */
type TypeArguments = ReadonlyMap<string, Declared>;

/** What a name refers to in one tree. */
export type Entity =
  | {
      readonly is: 'definition';
      readonly path: string;
      readonly definitions: readonly Definition[];
      readonly exact: boolean;
      /** What type parameters of the owner mean: `Page<User>`. */
      readonly arguments?: TypeArguments | undefined;
      /** The other types that the value may have: `Opened | Closed`. */
      readonly variants?: readonly (Entity & { readonly is: 'definition' })[];
    }
  | { readonly is: 'module'; readonly path: string; readonly exact: boolean }
  /** An import that leads to a first-party path that the tree does not have. */
  | {
      readonly is: 'missing-module';
      readonly specifier: string;
      readonly tried: readonly string[];
      readonly absence: Absence;
    }
  | {
      readonly is: 'missing-name';
      readonly path: string;
      readonly name: string;
      readonly absence: Absence;
      /** No member has this name, but some are named by constants that may equal it. */
      readonly keyed?: true;
      /** Not listed, but other code may have set it: see `Members.lent`, `Facts.opaque`. */
      readonly lent?: true;
    }
  /** External, dynamic or unreadable: nothing is known. */
  | {
      readonly is: 'unknown';
      /** The package from outside that provides it. */
      readonly package?: string;
      /** The specifier whose target is unknown. */
      readonly unresolved?: string;
    };

export const unknown: Entity = { is: 'unknown' };

/** The files of one tree as the linker sees them. */
export interface Modules {
  /** Facts of a module that was read without error; undefined otherwise. */
  facts(path: string): Facts | undefined;
  resolve(specifier: string, fromPath: string): Resolution;
  submodule(packagePath: string, name: string): Submodule;
  /** The files of a folder: see `packageIn`. */
  files(folder: string): readonly string[];
  /** The caller uses an answer that the graph has kept and that depends on the contents of these files. */
  noteAll(paths: readonly string[]): void;
}

/** Follows names through imports, re-exports and barrels to their definition. */
export class ModuleGraph {
  readonly #modules: Modules;
  /** By package, and whether tests are seen: its files. */
  readonly #visible = new Map<string, readonly string[]>();
  readonly #packages = new Map<readonly string[], PackageIndex>();

  constructor(modules: Modules) {
    this.#modules = modules;
  }

  facts(path: string): Facts | undefined {
    return this.#modules.facts(path);
  }

  resolve(specifier: string, fromPath: string): Resolution {
    return this.#modules.resolve(specifier, fromPath);
  }

  /** What an import statement binds. */
  imported(path: string, entry: Import, trace: Trace): Entity {
    const wholePackage = entry.form === 'executed' && entry.imported === '*' && entry.local !== null;
    const dotted = wholePackage && entry.from.startsWith(`${entry.local}.`);
    // `import a.b.c` binds `a`; the rest is accessed as attributes.
    return this.#follow(
      path,
      dotted ? (entry.local ?? entry.from) : entry.from,
      entry.imported,
      trace,
      new Set(),
    );
  }

  /** What a file gets when it imports a module by this name. */
  module(path: string, specifier: string, trace: Trace): Entity {
    return this.#follow(path, specifier, '*', trace, new Set());
  }

  /** The target of a re-export. */
  reexported(path: string, entry: Export, trace: Trace): Entity {
    if (entry.from === null)
      return entry.local === null ? unknown : (this.local(path, entry.local, trace) ?? unknown);
    return this.#follow(path, entry.from, entry.imported ?? '*', trace, new Set());
  }

  /** What a module-level name of a file refers to; null when the file does not bind it. */
  local(path: string, name: string, trace: Trace, seen: Set<string> = new Set()): Entity | null {
    const facts = this.#modules.facts(path);
    if (!facts) return unknown;
    trace.add(path, name);
    const index = indexOf(facts);
    const inside = readImportedInside(name);
    if (inside !== null) {
      const [entry, ...others] = index.innerImports(inside);
      const isSame = (other: Import) => other.from === entry?.from && other.imported === entry.imported;
      return entry && others.every(isSame) ? this.#throughImport(path, name, entry, trace, seen) : unknown;
    }
    const definitions = index.definitions(null, name);
    const imports = distinctImports(index.imports(name)).filter(
      (entry) => definitions.length === 0 || !this.#isOwn(path, name, entry),
    );
    if (imports.length > 1 || (imports.length > 0 && definitions.length > 0)) return unknown;
    if (definitions.length > 0) return { is: 'definition', path, definitions, exact: true };
    const [entry] = imports;
    if (facts.unread?.some((each) => each.as === 'name' && each.name === name)) return unknown;
    if (entry) {
      // `from . import fields` in the file of a package binds the module beside it.
      const own = this.#isOwn(path, name, entry) ? this.#submodule(path, name, trace) : null;
      if (own) return isHandled(facts, name) ? unknown : own;
      return seen.has(`${path} ${name}`) ? unknown : this.#throughImport(path, name, entry, trace, seen);
    }
    return facts.module === 'namespace' ? this.#starImported(path, facts, name, trace, seen) : null;
  }

  /** An inline module of Rust may import a name of its own file: `mod tests { use crate::store::User; }`. */
  #isOwn(path: string, name: string, { from, imported }: Import): boolean {
    const resolution = imported === name ? this.#modules.resolve(from, path) : undefined;
    return resolution?.status === 'found' && resolution.path === path;
  }

  #throughImport(path: string, name: string, entry: Import, trace: Trace, seen: Set<string>): Entity {
    seen.add(`${path} ${name}`);
    if (entry.form === 'executed' && entry.imported === '*') return this.imported(path, entry, trace);
    return this.#follow(path, entry.from, entry.imported, trace, seen);
  }

  /** A name that a module exports. */
  exported(path: string, name: string, trace: Trace, seen: Set<string> = new Set()): Entity {
    const key = `${path}#${name}`;
    if (seen.has(key)) return unknown;
    seen.add(key);
    trace.add(path, name);
    if (partsOfPackage(path)) {
      // A test in a package of its own imports the package beside it, with what its other tests add.
      const from = trace.own !== null && packageOf(trace.own) === path ? trace.own : path;
      return this.#exportedFromPackage(path, name, from, trace);
    }
    if (path.endsWith('/'))
      return (
        this.#submodule(path, name, trace) ?? {
          is: 'missing-name',
          path,
          name,
          absence: absent('package in parts'),
        }
      );
    const facts = this.#modules.facts(path);
    if (!facts) return unknown;
    if (facts.module === 'data') return exportedFromData(path, facts, name);
    return facts.module === 'namespace'
      ? this.#exportedFromNamespace(path, facts, name, trace, seen)
      : this.#exportedFromModule(path, facts, name, trace, seen);
  }

  #follow(path: string, specifier: string, name: string, trace: Trace, seen: Set<string>): Entity {
    const resolution = this.#modules.resolve(specifier, path);
    if (resolution.status === 'found' || resolution.status === 'missing') trace.addPaths(resolution.tried);
    if (resolution.status === 'missing') return this.#missingModule(specifier, resolution, name, trace, seen);
    if (resolution.status === 'external') return { is: 'unknown', package: resolution.name };
    if (resolution.status === 'unknown') return { is: 'unknown', unresolved: specifier };
    if (name === '*' || name === '**')
      return { is: 'module', path: resolution.path, exact: resolution.exact };
    const entity = this.exported(resolution.path, name, trace, seen);
    return resolution.exact ? entity : doubtful(entity);
  }

  /** A module without a file may be written in the module above it, or be another one under a new name. */
  #missingModule(
    specifier: string,
    { tried, above }: Extract<Resolution, { status: 'missing' }>,
    name: string,
    trace: Trace,
    seen: Set<string>,
  ): Entity {
    const missing = { is: 'missing-module', specifier, tried, absence: absent() } as const;
    if (!above) return missing;
    const module = this.exported(above.path, above.name, trace, seen);
    if (module.is === 'missing-name') return isClosed(module.absence) ? missing : unknown;
    if (module.is !== 'module' || name === '*' || name === '**')
      return module.is === 'module' ? module : unknown;
    return this.exported(module.path, name, trace, seen);
  }

  #exportedFromModule(path: string, facts: Facts, name: string, trace: Trace, seen: Set<string>): Entity {
    const { stars, exported } = indexOf(facts);
    const direct = exported(name);
    if (direct) return this.#exportedEntry(path, facts, direct, trace, seen);
    // A script with `declare module '…'` is not a module itself: importing it gives what it declares.
    let sawUnknown = facts.opaque.length > 0 || (facts.module === 'script' && facts.augments !== undefined);
    if (name !== 'default') {
      for (const star of stars) {
        trace.add(path, '*');
        const target = this.#follow(path, star.from ?? '', '*', trace, seen);
        const found = target.is === 'module' ? this.exported(target.path, name, trace, seen) : unknown;
        if (found.is === 'definition' || found.is === 'module') return found;
        if (found.is !== 'missing-name' || !isClosed(found.absence)) sawUnknown = true;
      }
    }
    if (sawUnknown) return unknown;
    // Tools may find exports of a plain script that we do not see; TypeScript says "not a module". And a file that requires a CommonJS
    // module can add to its exports.
    const isModule =
      facts.module === 'esm' || (facts.module === 'script' && dialectOf(path)?.isTypeChecked === true);
    return { is: 'missing-name', path, name, absence: absent(!isModule && 'not a module') };
  }

  #exportedEntry(path: string, facts: Facts, entry: Export, trace: Trace, seen: Set<string>): Entity {
    if (entry.from !== null) return this.#follow(path, entry.from, entry.imported ?? '*', trace, seen);
    if (entry.local !== null) return this.local(path, entry.local, trace, seen) ?? unknown;
    const definitions = indexOf(facts).definitions(null, entry.name);
    return definitions.length > 0 ? { is: 'definition', path, definitions, exact: true } : unknown;
  }

  #exportedFromNamespace(path: string, facts: Facts, name: string, trace: Trace, seen: Set<string>): Entity {
    const own = this.local(path, name, trace, seen);
    const absence = absentFromModule(path, facts, name);
    if (own && isHiddenFrom(own, trace.own)) return { is: 'missing-name', path, name, absence };
    if (own) return own;
    const module = this.#submodule(path, name, trace);
    if (module) return module;
    if (dialectOf(path)?.names.isGivenToModules(name) || facts.quotedNames?.includes(name)) return unknown;
    const missing = { is: 'missing-name', path, name, absence } as const;
    return isClosed(absence) ? missing : { ...missing, lent: true };
  }

  /** The files of a package whose names are visible from `from`; code outside passes the package itself. */
  packageFiles(path: string, from: string): readonly string[] {
    const parts = partsOfPackage(path);
    const rules = dialectOf(path)?.imports.packages;
    if (!parts || !rules) return [];
    const files = this.#modules.files(parts.folder);
    const isApart = rules.isApart(from);
    return remembered(this.#visible, `${path} ${isApart}`, () =>
      files.filter((file) => file.endsWith(parts.ending) && (isApart || !rules.isApart(file))),
    );
  }

  /** The definitions of a name in a package, by file; null when one of its files cannot be read. */
  inPackage(
    path: string,
    container: string | null,
    name: string,
    from: string,
    trace: Trace,
  ): InPackage[] | null {
    trace.add(path, (container ?? name).split('.')[0] ?? name);
    const index = this.#indexOf(this.packageFiles(path, from));
    return index?.definitions(container, name) ?? null;
  }

  /** Null when a file cannot be read; the next call may have loaded it. */
  #indexOf(files: readonly string[]): PackageIndex | null {
    const known = this.#packages.get(files);
    if (known) {
      this.#modules.noteAll(files);
      return known;
    }
    const read = files.map((path) => ({ path, facts: this.#modules.facts(path) }));
    const usable = read.flatMap(({ path, facts }) => (facts ? [{ path, facts }] : []));
    if (usable.length < files.length) return null;
    const index = new PackageIndex(usable);
    this.#packages.set(files, index);
    return index;
  }

  #exportedFromPackage(path: string, name: string, from: string, trace: Trace): Entity {
    const found = this.inPackage(path, null, name, from, trace);
    if (found === null) return unknown;
    const [only, ...others] = found;
    if (!only) return { is: 'missing-name', path, name, absence: absent() };
    return others.length > 0 ? unknown : { is: 'definition', ...only, exact: true };
  }

  #submodule(path: string, name: string, trace: Trace): Entity | null {
    const { path: found, tried } = this.#modules.submodule(path, name);
    trace.addPaths(tried);
    return found === undefined ? null : { is: 'module', path: found, exact: true };
  }

  /** `from m import *` binds the public names of m; null when no star import provides the name. */
  #starImported(path: string, facts: Facts, name: string, trace: Trace, seen: Set<string>): Entity | null {
    let sawUnknown = false;
    const bringsNames = dialectOf(path)?.imports.packagesBringNames ?? true;
    for (const star of facts.imports.filter((entry) => entry.imported === '**')) {
      const target = this.#follow(path, star.from, '**', trace, seen);
      if (target.is === 'module' && partsOfPackage(target.path)) {
        const found = this.#exportedFromPackage(target.path, name, path, trace);
        if (found.is === 'definition') return found;
        if (found.is === 'unknown') sawUnknown = true;
        continue;
      }
      const source = target.is === 'module' ? this.#modules.facts(target.path) : undefined;
      if (target.is !== 'module' || !source) {
        const isOutside = target.is === 'unknown' && target.package !== undefined;
        const canBring = dialectOf(path)?.names.starBrings(star.from, name) ?? true;
        sawUnknown ||= canBring && (!isOutside || bringsNames);
        continue;
      }
      trace.add(target.path, '*');
      const isPublic = dialectOf(target.path)?.names.isPublic(source, name) ?? false;
      const key = `${target.path}#${name}`;
      if (!isPublic || seen.has(key)) continue;
      seen.add(key);
      const found = this.local(target.path, name, trace, seen);
      if (found && !isHiddenFrom(found, trace.own)) return found;
      // Modules of a package that were loaded are also names of the package.
      const module = found === null ? this.#submodule(target.path, name, trace) : null;
      if (module) return doubtful(module);
      if (source.opaque.length > 0) sawUnknown = true;
    }
    return sawUnknown ? unknown : null;
  }
}

/** `fields.extra = 1`, `setattr(fields, …)`: the file may add names to what it imports. */
function isHandled({ uses }: Facts, name: string): boolean {
  return uses.some(({ root, path, kind }) => root === name && path.length === 0 && kind === 'read');
}

/** Every definition is private, in a file whose private names `from` does not see. */
export function isHiddenFrom(entity: Entity, from: string | null): boolean {
  return (
    entity.is === 'definition' &&
    from !== null &&
    entity.definitions.every(({ hidden }) => hidden) &&
    dialectOf(entity.path)?.names.seesPrivate(entity.path, from) === false
  );
}

/** The whole data file, or one of its keys. */
function exportedFromData(path: string, facts: Facts, name: string): Entity {
  const index = indexOf(facts);
  const [whole] = index.definitions(null, wholeFile);
  if (!whole?.members) return unknown;
  const definitions = name === wholeFile ? [whole] : index.definitions(wholeFile, name);
  if (definitions.length > 0) return { is: 'definition', path, definitions, exact: true };
  return { is: 'missing-name', path, name, absence: absent() };
}

/** `import a.b` and `import a.c` bind the same `a`. */
function distinctImports(imports: readonly Import[]): readonly Import[] {
  const isPackage = ({ form, imported, local, from }: Import) =>
    form === 'executed' && imported === '*' && (from === local || from.startsWith(`${local}.`));
  const [first] = imports;
  const isSame = ({ from, imported, form }: Import) =>
    from === first?.from && imported === first.imported && form === first.form;
  // An inline module of Rust imports what its file imports, too.
  return imports.length > 1 && (imports.every(isPackage) || imports.every(isSame))
    ? imports.slice(0, 1)
    : imports;
}

/** A path that needed an assumption proves nothing. */
function doubtful(entity: Entity): Entity {
  switch (entity.is) {
    case 'missing-name':
      return { ...entity, absence: alsoOpen(entity.absence, 'assumption') };
    case 'definition':
    case 'module':
      return { ...entity, exact: false };
    default:
      return entity;
  }
}
