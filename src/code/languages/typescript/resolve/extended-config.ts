import { childOf, directoryOf, within } from '#code/resolve/repository-path.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { readManifest } from './manifest.ts';
import { targetsOf } from './package-map.ts';
import { splitSpecifier } from './specifier.ts';
import type { Workspaces } from './workspaces.ts';

export type ExtendedConfig =
  | { readonly status: 'located'; readonly path: string }
  /** A published package of settings. Its paths point into its own folder, so it defines no aliases here. */
  | { readonly status: 'external' }
  | { readonly status: 'absent' };

const absent = { status: 'absent' } as const;
const conditions = new Set(['import', 'require', 'node', 'default']);

/** Where an `extends` of the config at `from` leads. */
export function locateExtended(
  tree: Tree,
  documents: Documents,
  workspaces: Workspaces,
  from: string,
  specifier: string,
): ExtendedConfig {
  if (specifier.startsWith('/')) return absent;
  if (specifier.startsWith('./') || specifier.startsWith('../')) {
    const located = firstFile(tree, withOrWithoutJson(within(directoryOf(from), specifier)));
    return located.status === 'absent' && specifier.includes('/node_modules/')
      ? { status: 'external' }
      : located;
  }
  const { name, subpath } = splitSpecifier(specifier);
  for (const { members } of workspaces.above(directoryOf(from))) {
    const directory = members.get(name);
    if (directory !== undefined) return firstFile(tree, inPackage(tree, documents, directory, subpath));
  }
  return { status: 'external' };
}

function inPackage(tree: Tree, documents: Documents, directory: string, subpath: string): string[] {
  const manifest = readManifest(tree, documents, childOf(directory, 'package.json'));
  const entry = subpath === '' ? '.' : `./${subpath}`;
  const exported =
    manifest.status === 'read' ? targetsOf(manifest.value.exports, entry, conditions).targets : [];
  const named = manifest.status === 'read' ? (manifest.value.tsconfig ?? 'tsconfig.json') : 'tsconfig.json';
  return [...exported, subpath === '' ? named : subpath].flatMap((target) =>
    withOrWithoutJson(within(directory, target)),
  );
}

function withOrWithoutJson(path: string | undefined): string[] {
  if (path === undefined) return [];
  return path.endsWith('.json') ? [path] : [path, `${path}.json`];
}

function firstFile(tree: Tree, paths: readonly string[]): ExtendedConfig {
  const path = paths.find((candidate) => tree.blob(candidate) !== undefined);
  return path === undefined ? absent : { status: 'located', path };
}
