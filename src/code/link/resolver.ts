import { familyOf } from '#code/languages/index.ts';
import { createPythonResolver, type Submodule } from '#code/languages/python/resolve/resolve-python.ts';
import { createTypeScriptResolver } from '#code/languages/typescript/resolve/resolve-typescript.ts';
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
  const typescript = createTypeScriptResolver(tree, documents, documentPaths);
  const python = createPythonResolver(tree, documents, documentPaths, options);
  return {
    resolve: (specifier, fromPath) =>
      (familyOf(fromPath) === 'python' ? python : typescript).resolve(specifier, fromPath),
    submodule: python.submodule,
  };
}
