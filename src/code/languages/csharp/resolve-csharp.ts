import type { LanguageResolver } from '#code/languages/dialect.ts';
import { packageIn } from '#code/languages/shared/packages.ts';
import { resolverByFolder } from '#code/languages/shared/resolver-by-folder.ts';
import { childOf, upwardFrom } from '#code/resolve/repository-path.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Tree } from '#code/resolve/tree.ts';

/** How a file refers to the types of its own namespace: the files of its folder. */
export const ownNamespace = '.';

/**
 * Namespaces are folders by convention: `Shop.Store` is `Shop.Store/`, `Shop/Store/`, or `Store/` in the folder of the project `Shop`. A
 * namespace without such a folder may be anywhere.
 */
export function createCsharpResolver(tree: Tree): LanguageResolver {
  return resolverByFolder((specifier, own) => {
    const search = new Search(tree);
    if (specifier === ownNamespace) return search.found(packageIn(own, '.cs'), true);
    const parts = specifier.split('.');
    const names = [specifier, ...parts.map((_, from) => parts.slice(from).join('/'))];
    const folders = names.flatMap((name) => [...upwardFrom(own)].map((root) => childOf(root, name)));
    const folder = folders.find((each) => tree.files(each).some((file) => file.endsWith('.cs')));
    if (folder !== undefined) return search.found(packageIn(folder, '.cs'), true);
    return parts[0] === 'System' || parts[0] === 'Microsoft'
      ? external(specifier)
      : unknown('a namespace that is no folder');
  });
}
