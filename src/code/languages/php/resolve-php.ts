import type { LanguageResolver } from '#code/languages/dialect.ts';
import { packageIn } from '#code/languages/shared/packages.ts';
import { resolverByFolder } from '#code/languages/shared/resolver-by-folder.ts';
import { baseNameOf, directoryOf, within } from '#code/resolve/repository-path.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';

/** How a file refers to the classes of its own namespace: the files of its folder. */
export const ownNamespace = '.';

interface Prefix {
  /** `App\\` */
  readonly name: string;
  readonly folder: string;
}

/** `composer.json` maps classes to files (PSR-4). */
export function createPhpResolver(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
): LanguageResolver {
  let prefixes: Prefix[] | undefined;
  return resolverByFolder((specifier, from) => {
    const search = new Search(tree);
    if (specifier === ownNamespace) return search.found(packageIn(from, '.php'), true);
    prefixes ??= readPrefixes(tree, documents, documentPaths);
    if (prefixes.length === 0) return unknown('no composer.json');
    const own = prefixes.filter(({ name }) => specifier.startsWith(name));
    if (own.length === 0) return external(specifier.split('\\').slice(0, 2).join('\\'));
    for (const { name, folder } of own) {
      const path = within(folder, `${specifier.slice(name.length).replaceAll('\\', '/')}.php`);
      const found = path === undefined ? undefined : search.file(path);
      if (found !== undefined) return search.found(found, true);
    }
    return search.missing();
  });
}

function readPrefixes(tree: Tree, documents: Documents, paths: readonly string[]): Prefix[] {
  return paths
    .filter((path) => baseNameOf(path) === 'composer.json')
    .flatMap((path) => {
      const table = autoloadOf(documents.text(tree.blob(path) ?? '') ?? '');
      return Object.entries(table).flatMap(([name, folders]) =>
        [folders].flat().flatMap((each) => {
          const folder = typeof each === 'string' ? within(directoryOf(path), each || '.') : undefined;
          return folder === undefined || name === '' ? [] : [{ name, folder }];
        }),
      );
    })
    .sort((a, b) => b.name.length - a.name.length);
}

function autoloadOf(text: string): Record<string, unknown> {
  try {
    const parsed = JSON.parse(text) as Record<string, Record<string, Record<string, unknown>> | undefined>;
    return { ...parsed.autoload?.['psr-4'], ...parsed['autoload-dev']?.['psr-4'] };
  } catch {
    return {};
  }
}
