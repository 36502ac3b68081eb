import { childOf, within } from '#code/resolve/repository-path.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import { unknown } from '#code/resolve/search.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { isBuilt, type Output, sourceStems } from './build-output.ts';
import { findDirectory, findPath, findSource, findTarget, type Hit, type Lookup } from './files.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { allTargets, targetsOf } from './package-map.ts';
import type { PackageSpecifier } from './specifier.ts';
import type { Workspaces } from './workspaces.ts';

const commonConditions = ['types', 'node', 'module-sync', 'module', 'default', 'source', 'development'];

/** `first`: how the importing file loads it; the other way is used when that one has no entry. */
export function conditionSets(
  first: 'import' | 'require',
  custom: readonly string[],
): readonly ReadonlySet<string>[] {
  const second = first === 'import' ? 'require' : 'import';
  return [first, second].map((way) => new Set([...commonConditions, ...custom, way]));
}

export function targetsUnder(
  map: unknown,
  entry: string,
  sets: readonly ReadonlySet<string>[],
): { readonly targets: readonly string[]; readonly matched: boolean } {
  const answers = sets.map((conditions) => targetsOf(map, entry, conditions));
  return {
    targets: [...new Set(answers.flatMap(({ targets }) => targets))],
    matched: answers.some(({ matched }) => matched),
  };
}

/** A package of the repository, ready to be imported from. */
export interface LocalPackage {
  readonly directory: string;
  /** Computed only when something is not in the tree. */
  outputs(): readonly Output[];
  readonly conditions: readonly ReadonlySet<string>[];
}

/** Folder of the repository's package with this name, as seen from the package in `directory`. */
export function locatePackage(
  tree: Tree,
  documents: Documents,
  workspaces: Workspaces,
  directory: string,
  name: string,
): string | undefined {
  const own = readManifest(tree, documents, childOf(directory, 'package.json'));
  if (own.status === 'read') {
    if (own.value.name === name) return directory;
    const range = own.value.dependencies.get(name) ?? '';
    if (range.startsWith('npm:')) return undefined;
    const link = /^(?:file|link|portal|workspace):(\.{1,2}\/.*)$/.exec(range)?.[1];
    const linked = link === undefined ? undefined : within(directory, link);
    if (linked !== undefined && tree.isDirectory(linked)) return linked;
  }
  for (const { members } of workspaces.above(directory)) {
    const member = members.get(name);
    if (member !== undefined) return member;
  }
  return undefined;
}

/** Resolves `name/subpath` in a package of the repository, through its `exports` when it has them. */
export function resolveInPackage(
  lookup: Lookup,
  local: LocalPackage,
  { name, subpath }: PackageSpecifier,
): Resolution {
  const path = childOf(local.directory, 'package.json');
  const manifest = readManifest(lookup.tree, lookup.documents, path);
  if (manifest.status === 'broken' || manifest.status === 'unloaded')
    return unknown(`${path} cannot be read`);
  lookup.search.note(path);
  const value = manifest.status === 'read' ? manifest.value : undefined;
  return value?.exports === undefined
    ? resolveOpen(lookup, local, value, subpath)
    : resolveExported(lookup, local, value, name, subpath);
}

function resolveExported(
  lookup: Lookup,
  local: LocalPackage,
  manifest: Manifest,
  name: string,
  subpath: string,
): Resolution {
  const entry = subpath === '' ? '.' : `./${subpath}`;
  const { targets, matched } = targetsUnder(manifest.exports, entry, local.conditions);
  const paths = targets.flatMap((target) => within(local.directory, target) ?? []);
  const hit = findTarget(lookup, paths) ?? findSources(lookup, local, paths, subpath);
  if (hit !== undefined) return lookup.search.found(hit.path, hit.exact);
  const built = allTargets(manifest.exports).some((target) => {
    const path = within(local.directory, target);
    return path !== undefined && isBuilt(lookup.tree, path, local.directory, local.outputs());
  });
  if (!built) return lookup.search.missing();
  const reason = `${name} exports build output that is not in the tree`;
  return matched ? unknown(reason) : { status: 'unknown', reason, isUnlisted: true };
}

/** A package without `exports`: any of its files can be imported. */
function resolveOpen(
  lookup: Lookup,
  local: LocalPackage,
  manifest: Manifest | undefined,
  subpath: string,
): Resolution {
  const { directory } = local;
  const asked = within(directory, subpath || '.');
  if (asked === undefined) return unknown('the specifier leaves the package');
  const hit = subpath === '' ? findDirectory(lookup, directory) : findPath(lookup, asked);
  if (hit !== undefined) return lookup.search.found(hit.path, hit.exact);
  const entries = subpath === '' ? (manifest?.entries ?? []) : [subpath];
  const source = subpath === '' && manifest?.source ? within(directory, manifest.source) : undefined;
  const paths = entries.flatMap((entry) => within(directory, entry) ?? []);
  const assumed =
    (source === undefined ? undefined : findTarget(lookup, [source])) ??
    findSources(lookup, local, paths, subpath);
  if (assumed !== undefined) return lookup.search.found(assumed.path, false);
  const built = paths.find((path) => isBuilt(lookup.tree, path, directory, local.outputs()));
  return built === undefined
    ? lookup.search.missing()
    : unknown(`${built} is build output that is not in the tree`);
}

export function findSources(
  lookup: Lookup,
  { directory, outputs }: LocalPackage,
  paths: readonly string[],
  subpath: string,
): Hit | undefined {
  if (paths.length === 0) return undefined;
  const known = outputs();
  const stems = new Set(paths.flatMap((path) => sourceStems(path, directory, known, subpath)));
  for (const stem of stems) {
    const hit = findSource(lookup, stem);
    if (hit !== undefined) return hit;
  }
  return undefined;
}
