import { childOf } from '#code/resolve/repository-path.ts';
import type { Search } from '#code/resolve/search.ts';
import type { Tree } from '#code/resolve/tree.ts';

export interface Module {
  /** A file, or for a namespace package its folder with a trailing slash. */
  readonly path: string;
  /** Folders of its submodules: none for a plain module, several where folders share a namespace. */
  readonly directories: readonly string[];
  readonly isNamespace: boolean;
}

/** How far a dotted name leads from some folders. */
export interface Located {
  /** The module of the whole name. */
  readonly module: Module | undefined;
  /** The module of the first segment. */
  readonly first: Module | undefined;
}

/** Python's order: any module or regular package of the name hides folders without `__init__`. */
export function findModule(
  tree: Tree,
  search: Search,
  directories: readonly string[],
  name: string,
): Module | undefined {
  const folders: string[] = [];
  for (const directory of directories) {
    const path = childOf(directory, name);
    const module = findRegular(search, path);
    if (module !== undefined) return module;
    // Any file below the folder makes it appear: the trailing slash says so.
    search.note(`${path}/`);
    if (tree.isDirectory(path)) folders.push(path);
  }
  const [first] = folders;
  return first === undefined ? undefined : { path: `${first}/`, directories: folders, isNamespace: true };
}

/** A stub counts only without a source. */
function findRegular(search: Search, path: string): Module | undefined {
  for (const extension of ['.py', '.pyi']) {
    const init = search.file(`${path}/__init__${extension}`);
    if (init !== undefined) return { path: init, directories: [path], isNamespace: false };
    const file = search.file(path + extension);
    if (file !== undefined) return { path: file, directories: [], isNamespace: false };
  }
  return undefined;
}

/** The package in a folder; the root of the repository is one only with an `__init__`. */
export function packageIn(tree: Tree, search: Search, directory: string): Module | undefined {
  for (const name of ['__init__.py', '__init__.pyi']) {
    const init = search.file(childOf(directory, name));
    if (init !== undefined) return { path: init, directories: [directory], isNamespace: false };
  }
  const isNamespace = directory !== '' && tree.isDirectory(directory);
  return isNamespace ? { path: `${directory}/`, directories: [directory], isNamespace } : undefined;
}

/** Follows a dotted name through folders that are searched in order. */
export function locateModule(
  tree: Tree,
  search: Search,
  roots: readonly string[],
  names: readonly string[],
): Located {
  let directories = roots;
  let first: Module | undefined;
  let module: Module | undefined;
  for (const name of names) {
    module = findModule(tree, search, directories, name);
    if (module === undefined) break;
    first ??= module;
    directories = module.directories;
  }
  return { module, first };
}

const longest = 1024;

/** The identifiers of a dotted name, undefined when it is not one. */
export function splitName(name: string): string[] | undefined {
  if (name.length > longest) return undefined;
  const names = name.split('.');
  return names.every((part) => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{M}\p{Nd}\p{Pc}]*$/u.test(part))
    ? names
    : undefined;
}
