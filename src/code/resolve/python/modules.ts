import type { Tree } from '../../tree.ts';
import { childOf } from '../repository-path.ts';
import type { Search } from '../search.ts';

export interface Module {
  /** A file, or for a namespace package its folder with a trailing slash. */
  readonly path: string;
  /** Folder of its submodules, undefined for a module that cannot have any. */
  readonly directory: string | undefined;
  readonly isNamespace: boolean;
}

/** How far a dotted name leads from a folder. */
export interface Located {
  /** The module of the whole name. */
  readonly module: Module | undefined;
  /** The module of the first segment. */
  readonly first: Module | undefined;
}

/** Python's own order, a stub only where there is no source; a folder without `__init__` is a namespace package. */
export function findModule(tree: Tree, search: Search, directory: string, name: string): Module | undefined {
  const path = childOf(directory, name);
  for (const extension of ['.py', '.pyi']) {
    const init = search.file(`${path}/__init__${extension}`);
    if (init !== undefined) return { path: init, directory: path, isNamespace: false };
    const file = search.file(path + extension);
    if (file !== undefined) return { path: file, directory: undefined, isNamespace: false };
  }
  // The folder appears with any file below it: the trailing slash says so.
  search.note(`${path}/`);
  return tree.isDirectory(path) ? { path: `${path}/`, directory: path, isNamespace: true } : undefined;
}

/** The package that a folder is; the root of the repository is one only with an `__init__`. */
function packageIn(tree: Tree, search: Search, directory: string): Module | undefined {
  for (const name of ['__init__.py', '__init__.pyi']) {
    const init = search.file(childOf(directory, name));
    if (init !== undefined) return { path: init, directory, isNamespace: false };
  }
  const isNamespace = directory !== '' && tree.isDirectory(directory);
  return isNamespace ? { path: `${directory}/`, directory, isNamespace } : undefined;
}

/** Follows names down from a folder; no names mean the package that the folder itself is. */
export function locateModule(tree: Tree, search: Search, root: string, names: readonly string[]): Located {
  if (names.length === 0) {
    const module = packageIn(tree, search, root);
    return { module, first: module };
  }
  let directory: string | undefined = root;
  let first: Module | undefined;
  let module: Module | undefined;
  for (const name of names) {
    module = directory === undefined ? undefined : findModule(tree, search, directory, name);
    first ??= module;
    directory = module?.directory;
  }
  return { module, first };
}

const LONGEST = 1024;

/** The identifiers of a dotted name, undefined when it is none. */
export function splitName(name: string): string[] | undefined {
  if (name.length > LONGEST) return undefined;
  const names = name.split('.');
  return names.every((part) => /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{M}\p{Nd}\p{Pc}]*$/u.test(part))
    ? names
    : undefined;
}
