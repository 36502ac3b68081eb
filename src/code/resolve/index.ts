import { familyOf } from '../languages/index.ts';
import type { Documents, Tree } from '../tree.ts';
import { createPythonResolver, type Submodule } from './python.ts';
import type { Resolver } from './resolution.ts';
import { createTypeScriptResolver } from './typescript.ts';

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
