import type { LanguageResolver, Submodule } from '#code/languages/dialect.ts';
import { baseNameOf, directoryOf } from '#code/resolve/repository-path.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { remembered } from '#lib/remembered.ts';
import { resolveAbsolute } from './absolute.ts';
import { findModule, locateModule, packageIn, splitName } from './modules.ts';
import { createSearchPaths, isPackage } from './search-roots.ts';

export interface PythonResolver extends LanguageResolver {
  /**
   * The submodule that `from package import name` may mean. `packagePath` is a result of `resolve`: an `__init__` file, or the folder of a
   * namespace package with a trailing slash. Other modules have no submodules.
   */
  submodule(packagePath: string, name: string): Submodule;
}

const noName = 'the specifier is no module name';

/**
 * Resolves Python imports in one tree. A namespace package (a folder without `__init__`) is found as its folder with a trailing slash, and
 * has that form in `tried`: any file below the folder makes it appear.
 *
 * `documentPaths`: the tree's pyproject.toml and setup.cfg, parsed once per blob and `Documents` object, so pass the same object for all
 * trees. `roots`: folders that the configuration puts on the path.
 */
export function createPythonResolver(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
  options: { readonly roots: readonly string[] },
): PythonResolver {
  const searchPaths = createSearchPaths(tree, documents, documentPaths, options.roots);
  const relative = new Map<string, Map<string, Resolution>>();

  function resolve(specifier: string, fromPath: string): Resolution {
    const directory = directoryOf(fromPath);
    if (!specifier.startsWith('.')) {
      const path = searchPaths.of(directory);
      const answer = remembered(path.answers, specifier, () => {
        const names = splitName(specifier);
        return names === undefined ? unknown(noName) : resolveAbsolute(tree, path, names);
      });
      return meansItself(specifier, fromPath, answer) ? external(firstName(specifier)) : answer;
    }
    const answers = remembered(relative, directory, () => new Map<string, Resolution>());
    return remembered(answers, specifier, () => resolveRelative(directory, specifier));
  }

  function resolveRelative(from: string, specifier: string): Resolution {
    const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
    const names = specifier.length === dots ? [] : splitName(specifier.slice(dots));
    if (names === undefined) return unknown(noName);
    let directory = from;
    for (let level = 1; level < dots; level += 1) {
      if (directory === '') return unknown('the import goes beyond the repository');
      directory = directoryOf(directory);
    }
    // Below a root of the path there is no package to be relative to, unless the folder is one.
    const isBeyondTop =
      !isPackage(tree, directory) &&
      (directory === '' || (dots > 1 && searchPaths.of(from).tops.includes(directory)));
    const search = new Search(tree);
    const module =
      names.length === 0
        ? packageIn(tree, search, directory)
        : locateModule(tree, search, [directory], names).module;
    if (module !== undefined) return search.found(module.path, !isBeyondTop);
    return isBeyondTop ? unknown('the import goes beyond the top-level package') : search.missing();
  }

  return { resolve, submodule: (packagePath, name) => findSubmodule(tree, packagePath, name) };
}

function firstName(specifier: string): string {
  return specifier.split('.', 1)[0] ?? specifier;
}

/** `tools/redis.py` that imports `redis` means the installed package, unless it is started as a script. */
function meansItself(specifier: string, fromPath: string, answer: Resolution): boolean {
  if (baseNameOf(fromPath).replace(/\.pyi?$/, '') !== firstName(specifier)) return false;
  return answer.status === 'missing' || (answer.status === 'found' && answer.path === fromPath);
}

function findSubmodule(tree: Tree, packagePath: string, name: string): Submodule {
  const isRegular = /^__init__\.pyi?$/.test(baseNameOf(packagePath));
  if ((!isRegular && !packagePath.endsWith('/')) || splitName(name)?.length !== 1)
    return { path: undefined, tried: [] };
  const search = new Search(tree);
  const module = findModule(tree, search, [directoryOf(packagePath)], name);
  return { path: module?.path, tried: search.tried };
}
