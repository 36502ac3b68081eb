import type { LanguageResolver } from '#code/languages/dialect.ts';
import { packageIn } from '#code/languages/shared/packages.ts';
import { resolverByFolder } from '#code/languages/shared/resolver-by-folder.ts';
import { childOf, upwardFrom } from '#code/resolve/repository-path.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Tree } from '#code/resolve/tree.ts';

/** How a file imports the names of the other files of its package. */
export const ownPackage = '.';

/** Packages are folders below a source root; the root is any folder above the importing file that contains them. */
export function createJavaResolver(tree: Tree): LanguageResolver {
  return resolverByFolder((specifier, own) => {
    const search = new Search(tree);
    if (specifier === ownPackage) return search.found(packageIn(own, '.java'), true);
    if (specifier.endsWith('#')) return unknown('members of a class');
    const parts = specifier.split('.');
    const roots = [...upwardFrom(own), ...upwardFrom(own.replace('/src/test/', '/src/main/'))];
    const folders = roots.map((root) => childOf(root, parts.join('/')));
    const folder = folders.find((each) => tree.files(each).some((file) => file.endsWith('.java')));
    if (folder !== undefined) return search.found(packageIn(folder, '.java'), true);
    // The first part of the package is a folder of the project, but the package itself does not exist.
    const start = parts.slice(0, 2).join('/');
    const root = parts.length < 3 ? undefined : roots.find((each) => tree.isDirectory(childOf(each, start)));
    if (root === undefined) return external(parts.slice(0, 2).join('.'));
    search.note(packageIn(childOf(root, parts.join('/')), '.java'));
    return search.missing();
  });
}
