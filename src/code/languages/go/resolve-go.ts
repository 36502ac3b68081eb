import type { LanguageResolver } from '#code/languages/dialect.ts';
import { packageIn } from '#code/languages/shared/packages.ts';
import { resolverByFolder } from '#code/languages/shared/resolver-by-folder.ts';
import { baseNameOf, directoryOf, within } from '#code/resolve/repository-path.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';

/** How a file imports the names of the other files of its package. */
export const ownPackage = '.';
/** The same for tests in a package of their own: `package store_test`. */
export const testPackage = '._test';

interface Module {
  readonly name: string;
  readonly folder: string;
}

export function createGoResolver(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
): LanguageResolver {
  let modules: Module[] | undefined;
  return resolverByFolder((specifier, own) => {
    const search = new Search(tree);
    if (specifier === ownPackage || specifier === testPackage)
      return search.found(packageIn(own, '.go'), true);
    modules ??= readModules(tree, documents, documentPaths);
    const module = modules.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
    if (!module) return modules.length === 0 ? unknown('no go.mod') : external(packageOf(specifier));
    const folder = within(module.folder, `.${specifier.slice(module.name.length)}`) ?? '';
    const path = packageIn(folder, '.go');
    search.note(path);
    const hasFiles = tree.files(folder).some((file) => /\.go$/.test(file) && !/_test\.go$/.test(file));
    return hasFiles ? search.found(path, true) : search.missing();
  });
}

/** Longest names first: a module may be inside another one. */
function readModules(tree: Tree, documents: Documents, paths: readonly string[]): Module[] {
  const files = paths.filter((path) => baseNameOf(path) === 'go.mod');
  const modules = files.flatMap((path) => {
    const text = documents.text(tree.blob(path) ?? '') ?? '';
    const name = moduleName(text);
    return name === undefined ? [] : [{ name, folder: directoryOf(path) }];
  });
  return modules.sort((a, b) => b.name.length - a.name.length);
}

/** The name that a go.mod declares. */
export function moduleName(text: string): string | undefined {
  return /^[ \t]*module[ \t]+"?([^\s"]+)/m.exec(text)?.[1];
}

function packageOf(specifier: string): string {
  return specifier.split('/').slice(0, 3).join('/');
}
