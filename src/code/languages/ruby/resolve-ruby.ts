import type { LanguageResolver } from '#code/languages/dialect.ts';
import { resolverByFolder } from '#code/languages/shared/resolver-by-folder.ts';
import { childOf, upwardFrom, within } from '#code/resolve/repository-path.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Tree } from '#code/resolve/tree.ts';
import { standardLibrary } from './standard-library.ts';

/** How a file refers to a constant that Rails loads on first use: `autoload:Shop::User`. */
export const autoloaded = 'autoload:';

/** Folders of a Rails application whose files are named after the constants in them. */
const autoloadFolders = [
  'app/models',
  'app/models/concerns',
  'app/controllers',
  'app/controllers/concerns',
  'app/services',
  'app/jobs',
  'app/mailers',
  'app/helpers',
  'app/policies',
  'app/serializers',
  'app/forms',
  'app/queries',
  'app/components',
  'app/channels',
  'app/lib',
  'lib',
];

/** `require_relative` leads to a file, `require` to one below `lib` or outside, a Rails constant to the file named after it. */
export function createRubyResolver(tree: Tree): LanguageResolver {
  return resolverByFolder((specifier, own) => {
    const search = new Search(tree);
    if (specifier.startsWith(autoloaded))
      return resolveConstant(tree, search, specifier.slice(autoloaded.length));
    if (specifier.startsWith('.')) {
      const path = within(own, fileOf(specifier));
      const found = path === undefined ? undefined : search.file(path);
      return found === undefined ? search.missing() : search.found(found, true);
    }
    if (standardLibrary.has(specifier)) return external(specifier);
    const roots = [...upwardFrom(own)].flatMap((root) => [childOf(root, 'lib'), root]);
    for (const root of roots) {
      const found = search.file(childOf(root, fileOf(specifier)));
      if (found !== undefined) return search.found(found, false);
    }
    return external(specifier.split('/')[0] ?? specifier);
  });
}

function fileOf(specifier: string): string {
  return specifier.endsWith('.rb') ? specifier : `${specifier}.rb`;
}

function resolveConstant(tree: Tree, search: Search, name: string) {
  if (tree.blob('config/application.rb') === undefined) return unknown('constants are not loaded by name');
  const file = `${name.split('::').map(underscored).join('/')}.rb`;
  for (const folder of autoloadFolders) {
    const found = search.file(`${folder}/${file}`);
    if (found !== undefined) return search.found(found, false);
  }
  return unknown(`${name} is in no folder that Rails loads`);
}

/** `HTTPClient` is in `http_client.rb`. */
function underscored(name: string): string {
  return name
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase();
}
