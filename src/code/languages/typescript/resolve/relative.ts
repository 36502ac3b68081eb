import { childOf, directoryOf, relativeTo, within } from '#code/resolve/repository-path.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import { builtFolder, type Output, sourceStems } from './build-output.ts';
import { findDirectory, findPath, findSource, findStandIn, type Hit, type Lookup } from './files.ts';
import { readManifest } from './manifest.ts';
import type { Project } from './project.ts';
import { splitSpecifier, withoutQuery } from './specifier.ts';

export function resolveRelative(
  { tree, documents, flavor }: Omit<Lookup, 'search'>,
  project: Project,
  directory: string,
  specifier: string,
): Resolution {
  const search = new Search(tree);
  const lookup = { tree, documents, flavor, search };
  const cut = withoutQuery(specifier);
  // A file name may contain `#` or `?`: the specifier as written comes first.
  for (const text of cut === specifier ? [specifier] : [specifier, cut]) {
    const target = within(directory, text);
    if (target === undefined) return unknown('the specifier leaves the repository');
    const hit = findRelative(lookup, project, target, namesFolder(text));
    if (hit !== undefined) return search.found(hit.path, hit.exact);
  }
  return absent(lookup, within(directory, cut) ?? '', project);
}

/** `.`, `..` and a trailing slash never mean a file. */
function namesFolder(specifier: string): boolean {
  return /(?:^|\/)\.{0,2}$/.test(specifier);
}

function findRelative(lookup: Lookup, project: Project, target: string, isFolder: boolean): Hit | undefined {
  const find = (path: string) =>
    isFolder || path === '' ? findDirectory(lookup, path) : findPath(lookup, path);
  const hit = find(target);
  if (hit !== undefined || project.rootDirs.length === 0) return hit;
  // Folders of `rootDirs` count as one: the path is searched below each of them.
  const own = project.rootDirs
    .filter((root) => relativeTo(root, target) !== undefined)
    .sort((a, b) => b.length - a.length)[0];
  if (own === undefined) return undefined;
  for (const root of project.rootDirs) {
    const other = find(childOf(root, relativeTo(own, target) ?? ''));
    if (other !== undefined) return other;
  }
  return undefined;
}

function absent(lookup: Lookup, target: string, project: Project): Resolution {
  const [, installed] = target.split(/(?:^|\/)node_modules\//);
  if (installed !== undefined) return external(splitSpecifier(installed).name);
  const source = findBuiltSource(lookup, target, project.outputs);
  if (source !== undefined) return lookup.search.found(source.path, false);
  if (builtFolder(lookup.tree, target) !== undefined)
    return unknown(`${target} looks like build output, which the tree does not have`);
  return missingUnlessStoodIn(lookup, [target], project);
}

/** Missing, unless a bundler may choose another file for the name: then unknown. */
export function missingUnlessStoodIn(
  lookup: Lookup,
  targets: readonly string[],
  project: Project,
): Resolution {
  for (const target of targets) {
    const manifest = childOf(target, 'package.json');
    const { status } = readManifest(lookup.tree, lookup.documents, manifest);
    if (status === 'broken' || status === 'unloaded') return unknown(`${manifest} cannot be read`);
    const standIn = findStandIn(lookup, target, project.moduleSuffixes);
    if (standIn !== undefined) return unknown(`${standIn} may be meant`);
  }
  return lookup.search.missing();
}

/** Source of a path in an output folder that the tree does not have. */
export function findBuiltSource(lookup: Lookup, target: string, outputs: readonly Output[]): Hit | undefined {
  const folder = builtFolder(lookup.tree, target);
  if (folder === undefined) return undefined;
  const stems = sourceStems(target, directoryOf(folder), outputs, relativeTo(folder, target) ?? '');
  for (const stem of stems) {
    const hit = findSource(lookup, stem);
    if (hit !== undefined) return hit;
  }
  return undefined;
}
