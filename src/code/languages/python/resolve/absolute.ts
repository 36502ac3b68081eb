import type { Resolution } from '#code/resolve/resolution.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Tree } from '#code/resolve/tree.ts';
import { type Located, locateModule, type Module, packageIn } from './modules.ts';
import { distributionName } from './project.ts';
import type { SearchPath } from './search-roots.ts';
import { standardLibrary } from './standard-library.ts';

export function resolveAbsolute(tree: Tree, path: SearchPath, names: readonly string[]): Resolution {
  const search = new Search(tree);
  const [first = ''] = names;
  // Which module a name of the standard library means depends on how the program is started.
  const isStandard = standardLibrary.has(first);
  const own = locateOwn(tree, search, path, names);
  if (own.module?.isNamespace === false) return search.found(own.module.path, !isStandard);
  // The order of the roots is partly convention, so a root that Python would not reach may still be the right one.
  const [behind] = own.module === undefined ? findEach(tree, search, path.roots, names).modules : [];
  if (behind !== undefined) return search.found(behind.path, false);
  const isOwn = own.first?.isNamespace === false;
  const foreign = findEach(tree, search, isOwn ? [] : path.foreign, names);
  const [neighbour, rival] = foreign.modules;
  if (neighbour !== undefined) return search.found(neighbour.path, rival === undefined && !isStandard);
  const isRegular = isOwn || foreign.hasFirst;
  // The standard library and installed distributions hide folders without `__init__`.
  if (isStandard || (!isRegular && isInstalled(path, first))) return external(first);
  if (own.module !== undefined) return search.found(own.module.path, true);
  // A folder of another project is not enough to call a name first-party.
  if (isRegular || own.first !== undefined) return search.missing();
  return path.unreadable === null ? external(first) : unknown(path.unreadable);
}

/** First packages that a project places by name, then the roots in Python's order. */
function locateOwn(tree: Tree, search: Search, path: SearchPath, names: readonly string[]): Located {
  for (const { name, directory } of path.packages) {
    const placed = name.split('.');
    if (placed.some((part, index) => names[index] !== part)) continue;
    const first = packageIn(tree, search, directory);
    if (first === undefined) continue;
    const rest = names.slice(placed.length);
    return rest.length === 0
      ? { module: first, first }
      : { module: locateModule(tree, search, [directory], rest).module, first };
  }
  return locateModule(tree, search, path.roots, names);
}

interface Finds {
  /** At most two modules or regular packages of the whole name, each in a different root. */
  readonly modules: readonly Module[];
  /** Some root has the first segment as a module or regular package. */
  readonly hasFirst: boolean;
}

/** Searches each root as if it were the only one. */
function findEach(tree: Tree, search: Search, roots: readonly string[], names: readonly string[]): Finds {
  const modules: Module[] = [];
  let hasFirst = false;
  for (const root of roots) {
    const { module, first } = locateModule(tree, search, [root], names);
    if (module?.isNamespace === false) modules.push(module);
    if (first?.isNamespace === false) hasFirst = true;
    if (modules.length === 2) break;
  }
  return { modules, hasFirst };
}

/** Distributions that share a namespace are named after it: `google-cloud-storage`. */
function isInstalled({ dependencies }: SearchPath, name: string): boolean {
  const distribution = distributionName(name);
  if (dependencies.has(distribution)) return true;
  return dependencies.values().some((dependency) => dependency.startsWith(`${distribution}-`));
}
