import { childOf, upwardFrom, within } from '#code/resolve/repository-path.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { type AliasMatch, matchAlias } from './aliases.ts';
import { builtFolder, isBuilt } from './build-output.ts';
import { type Flavor, findPath, findTarget, type Hit, type Lookup } from './files.ts';
import { readManifest } from './manifest.ts';
import {
  conditionSets,
  findSources,
  type LocalPackage,
  locatePackage,
  resolveInPackage,
  targetsUnder,
} from './packages.ts';
import type { Project } from './project.ts';
import type { Projects } from './projects.ts';
import { findBuiltSource, missingUnlessStoodIn } from './relative.ts';
import { builtinName, isPackageName, schemeOf, splitSpecifier, withoutQuery } from './specifier.ts';
import type { Workspaces } from './workspaces.ts';

/** A specifier that is not relative means the same for all files of one project in one package. */
export interface Scope {
  readonly project: Project;
  /** Folder of the nearest package.json. */
  readonly packageDirectory: string;
  readonly flavor: Flavor;
  readonly loads: 'import' | 'require';
  readonly answers: Map<string, Resolution>;
}

/** Resolves specifiers that are not relative: aliases, `#internal` ones, packages of the repository, and others. */
export function createBareResolver(
  tree: Tree,
  documents: Documents,
  workspaces: Workspaces,
  projects: Projects,
): (specifier: string, scope: Scope) => Resolution {
  function localPackage(directory: string, { loads, project }: Scope): LocalPackage {
    const conditions = conditionSets(loads, project.conditions);
    return { directory, outputs: () => projects.outputsIn(directory), conditions };
  }

  function manifestOf(directory: string) {
    return readManifest(tree, documents, childOf(directory, 'package.json'));
  }

  /** The order of TypeScript; after that a builtin module wins over a package, as in Node. */
  function resolveBare(written: string, scope: Scope): Resolution {
    const specifier = withoutQuery(written);
    const lookup: Lookup = { tree, documents, flavor: scope.flavor, search: new Search(tree) };
    const { project } = scope;
    const alias = project.aliases && matchAlias(project.aliases, specifier);
    const aliased = alias && resolveAlias(lookup, project, alias);
    if (aliased?.status === 'found') return aliased;
    if (specifier.startsWith('#')) {
      return resolveInternal(lookup, scope, specifier) ?? aliased ?? unlisted(lookup, scope, specifier);
    }
    return (
      (alias === undefined ? findFromBaseUrl(lookup, project, specifier) : undefined) ??
      outsideFiles(specifier) ??
      resolvePackage(lookup, scope, specifier) ??
      declared(scope, specifier) ??
      aliased ??
      unlisted(lookup, scope, specifier)
    );
  }

  function resolvePackage(lookup: Lookup, scope: Scope, specifier: string): Resolution | undefined {
    const parts = splitSpecifier(specifier);
    const directory = locatePackage(tree, documents, workspaces, scope.packageDirectory, parts.name);
    if (directory === undefined) return undefined;
    return resolveInPackage(lookup, localPackage(directory, scope), parts);
  }

  /** `#name` through `imports` of the nearest package.json; undefined when it has none. */
  function resolveInternal(lookup: Lookup, scope: Scope, specifier: string): Resolution | undefined {
    const { packageDirectory: directory } = scope;
    const manifest = manifestOf(directory);
    const path = childOf(directory, 'package.json');
    if (manifest.status === 'broken' || manifest.status === 'unloaded')
      return unknown(`${path} cannot be read`);
    if (manifest.status !== 'read' || manifest.value.imports === undefined) return undefined;
    lookup.search.note(path);
    const local = localPackage(directory, scope);
    const { targets, matched } = targetsUnder(manifest.value.imports, specifier, local.conditions);
    if (!matched && scope.project.unreadable !== null) return unknown(scope.project.unreadable);
    const [first] = targets;
    if (first !== undefined && !first.startsWith('.')) {
      return (
        outsideFiles(first) ?? resolvePackage(lookup, scope, first) ?? external(splitSpecifier(first).name)
      );
    }
    const paths = targets.flatMap((target) =>
      target.startsWith('.') ? (within(directory, target) ?? []) : [],
    );
    const hit = findTarget(lookup, paths) ?? findSources(lookup, local, paths, '');
    if (hit !== undefined) return lookup.search.found(hit.path, hit.exact);
    const built = paths.find((target) => isBuilt(tree, target, directory, local.outputs()));
    return built === undefined
      ? lookup.search.missing()
      : unknown(`${built} is build output that is not in the tree`);
  }

  /** A dependency that some package.json above declares: installed from elsewhere unless it says `workspace:`. */
  function declared({ packageDirectory }: Scope, specifier: string): Resolution | undefined {
    const { name } = splitSpecifier(specifier);
    for (const directory of upwardFrom(packageDirectory)) {
      const manifest = manifestOf(directory);
      const range = manifest.status === 'read' ? manifest.value.dependencies.get(name) : undefined;
      if (range === undefined) continue;
      if (!range.startsWith('workspace:')) return external(name);
      const unreadable = unreadableWorkspace(packageDirectory);
      return unreadable === null ? { status: 'missing', tried: [] } : unknown(unreadable);
    }
    return undefined;
  }

  function unreadableWorkspace(directory: string): string | null {
    return workspaces.above(directory).find(({ unreadable }) => unreadable !== null)?.unreadable ?? null;
  }

  /** Neither alias nor package of the repository nor declared dependency. */
  function unlisted(lookup: Lookup, { project, packageDirectory }: Scope, specifier: string): Resolution {
    const unreadable = project.unreadable ?? unreadableWorkspace(packageDirectory);
    if (unreadable !== null) return unknown(unreadable);
    const { name, subpath } = splitSpecifier(specifier);
    const guess = findByHabit(lookup, packageDirectory, specifier);
    if (guess !== undefined) return lookup.search.found(guess.path, false);
    if (!isPackageName(name))
      return { status: 'unknown', reason: 'an alias that no tsconfig defines', isAlias: true };
    const folder = project.baseUrl === undefined ? undefined : within(project.baseUrl, name);
    return subpath !== '' && folder !== undefined && tree.isDirectory(folder)
      ? lookup.search.missing()
      : external(name);
  }

  return resolveBare;
}

/** Undefined when the targets do not show whether the file belongs to the repository. */
function resolveAlias(lookup: Lookup, project: Project, alias: AliasMatch): Resolution | undefined {
  const paths: string[] = [];
  for (const { path, isFile } of alias.targets) {
    const target = project.placeAlias(path);
    if (target === undefined) continue;
    paths.push(target);
    const literal = isFile ? lookup.search.file(target) : undefined;
    const hit = literal === undefined ? findPath(lookup, target) : { path: literal, exact: true };
    if (hit !== undefined) return lookup.search.found(hit.path, hit.exact);
  }
  if (alias.catchAll || alias.targets.length === 0) return undefined;
  if (paths.length < alias.targets.length) return unknown('the alias leads out of the repository');
  if (paths.some((path) => /(?:^|\/)node_modules\//.test(path))) return undefined;
  for (const path of paths) {
    const source = findBuiltSource(lookup, path, project.outputs);
    if (source !== undefined) return lookup.search.found(source.path, false);
  }
  const built = paths.find((path) => builtFolder(lookup.tree, path) !== undefined);
  return built === undefined
    ? missingUnlessStoodIn(lookup, paths, project)
    : unknown(`${built} looks like build output, which the tree does not have`);
}

function findFromBaseUrl(lookup: Lookup, { baseUrl }: Project, specifier: string): Resolution | undefined {
  const target = baseUrl === undefined ? undefined : within(baseUrl, specifier);
  const hit = target === undefined ? undefined : findPath(lookup, target);
  return hit && lookup.search.found(hit.path, hit.exact);
}

/** Builtin modules, URLs and the virtual modules of bundlers. */
function outsideFiles(specifier: string): Resolution | undefined {
  const builtin = builtinName(specifier);
  if (builtin !== undefined) return external(builtin);
  const scheme = schemeOf(specifier);
  if (scheme === undefined) return specifier.startsWith('/') ? unknown('the path is absolute') : undefined;
  if (scheme === 'file') return unknown('the path is absolute');
  return external(scheme === 'data' ? 'data:' : specifier);
}

/** `@/x` and `~/x` are not package names; bundlers that define them nearly always mean the source folder. */
function findByHabit(lookup: Lookup, directory: string, specifier: string): Hit | undefined {
  if (!/^[@~]\/./.test(specifier)) return undefined;
  for (const folder of ['src', 'app', '.']) {
    const target = within(directory, `${folder}/${specifier.slice(2)}`);
    const hit = target === undefined ? undefined : findPath(lookup, target);
    if (hit !== undefined) return hit;
  }
  return undefined;
}
