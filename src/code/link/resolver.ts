import type { LanguageResolver, Submodule } from '#code/languages/dialect.ts';
import { dialectOf, dialects } from '#code/languages/index.ts';
import type { Resolver } from '#code/resolve/resolution.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';

/** Imports of every language in one tree. */
export interface Resolvers extends Resolver {
  submodule(packagePath: string, name: string): Submodule;
}

export function createResolvers(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
  options: { readonly roots: readonly string[] },
): Resolvers {
  const opened = new Map<unknown, LanguageResolver>();
  for (const { imports } of dialects)
    if (imports.openResolver !== null && !opened.has(imports.openResolver))
      opened.set(imports.openResolver, imports.openResolver(tree, documents, documentPaths, options));
  const packages = [...opened.values()].flatMap(({ submodule }) => submodule ?? []);
  return {
    resolve: (specifier, fromPath) =>
      opened.get(dialectOf(fromPath)?.imports.openResolver)?.resolve(specifier, fromPath) ?? nowhere,
    submodule(packagePath, name) {
      const found = packages.map((submodule) => submodule(packagePath, name));
      return {
        path: found.find(({ path }) => path !== undefined)?.path,
        tried: found.flatMap(({ tried }) => tried),
      };
    },
  };
}

const nowhere = { status: 'unknown', reason: 'files of this kind import nothing' } as const;
