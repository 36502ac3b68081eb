import type { Tree } from '../../tree.ts';
import type { Resolution } from '../resolution.ts';
import { external, Search, unknown } from '../search.ts';
import { type Located, locateModule, type Module } from './modules.ts';
import { distributionName } from './project.ts';
import type { SearchPath } from './search-roots.ts';
import { STANDARD_LIBRARY } from './standard-library.ts';

/** What the roots of a path hold of a dotted name. */
interface Holdings {
  /** Modules and regular packages of the whole name, best first. */
  readonly modules: readonly Module[];
  /** The whole name as a namespace package, which any regular one hides. */
  readonly namespace: Module | undefined;
  /** How the first segment exists: a mere folder may be something else than a package. */
  readonly first: 'absent' | 'folder' | 'module';
  /** The best module lies behind a root that has the first segment as a module or regular package. */
  readonly isBehind: boolean;
}

export function resolveAbsolute(tree: Tree, path: SearchPath, names: readonly string[]): Resolution {
  const search = new Search(tree);
  const [first = ''] = names;
  // Which one a name of the standard library means depends on how the program is started.
  const isStandard = STANDARD_LIBRARY.has(first);
  const own = gather(ownPlaces(tree, search, path, names), 1);
  const [module] = own.modules;
  if (module !== undefined) return search.found(module.path, !own.isBehind && !isStandard);
  const foreign = gather(foreignPlaces(tree, search, own.first === 'module' ? [] : path.foreign, names), 2);
  const [neighbour, rival] = foreign.modules;
  if (neighbour !== undefined) return search.found(neighbour.path, rival === undefined && !isStandard);
  const isModule = own.first === 'module' || foreign.first === 'module';
  // The standard library and installed distributions hide folders without `__init__`.
  if (isStandard || (!isModule && isInstalled(path, first))) return external(first);
  if (own.namespace !== undefined) return search.found(own.namespace.path, true);
  // A folder of another project is too little to call a name first-party.
  if (isModule || own.first === 'folder') return search.missing();
  return path.unreadable === null ? external(first) : unknown(path.unreadable);
}

function* ownPlaces(
  tree: Tree,
  search: Search,
  path: SearchPath,
  names: readonly string[],
): Generator<Located> {
  for (const { name, directory } of path.packages) {
    const placed = name.split('.');
    if (placed.some((part, index) => names[index] !== part)) continue;
    const { first } = locateModule(tree, search, directory, []);
    yield { ...locateModule(tree, search, directory, names.slice(placed.length)), first };
  }
  for (const root of path.roots) yield locateModule(tree, search, root, names);
}

function* foreignPlaces(
  tree: Tree,
  search: Search,
  roots: readonly string[],
  names: readonly string[],
): Generator<Located> {
  for (const root of roots) yield locateModule(tree, search, root, names);
}

/** Stops when it has `enough` modules of the whole name. */
function gather(places: Iterable<Located>, enough: number): Holdings {
  const modules: Module[] = [];
  let namespace: Module | undefined;
  let first: Holdings['first'] = 'absent';
  let isBehind = false;
  for (const { module, first: found } of places) {
    if (module?.isNamespace === false) {
      if (modules.length === 0) isBehind = first === 'module';
      modules.push(module);
      if (modules.length === enough) break;
    } else namespace ??= module;
    if (found?.isNamespace === false) first = 'module';
    else if (found !== undefined && first === 'absent') first = 'folder';
  }
  return { modules, namespace, first, isBehind };
}

/** Distributions that share a namespace are named after it: `google-cloud-storage`. */
function isInstalled({ dependencies }: SearchPath, name: string): boolean {
  const distribution = distributionName(name);
  if (dependencies.has(distribution)) return true;
  return dependencies.values().some((dependency) => dependency.startsWith(`${distribution}-`));
}
