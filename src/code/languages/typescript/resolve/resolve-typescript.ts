import { childOf, directoryOf, upwardFrom } from '#code/resolve/repository-path.ts';
import type { Resolution, Resolver } from '#code/resolve/resolution.ts';
import { unknown } from '#code/resolve/search.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { remembered } from '#lib/remembered.ts';
import { createBareResolver, type Scope } from './bare.ts';
import type { Flavor } from './files.ts';
import type { Project } from './project.ts';
import { createProjects, furtherConfigs } from './projects.ts';
import { resolveRelative } from './relative.ts';
import { isRelative, unusableReason } from './specifier.ts';
import { createWorkspaces } from './workspaces.ts';

/** One folder: its files of one flavor and project resolve a relative specifier alike. */
interface Place {
  readonly directory: string;
  readonly scope: Scope;
  readonly answers: Map<string, Resolution>;
}

/**
 * Resolves TypeScript and JavaScript imports in one tree, by the rules of TypeScript and Node and, where these need installed packages or
 * build output, by the workspace's source instead.
 *
 * `documentPaths`: the tree's package.json, tsconfig*.json, jsconfig.json, pnpm-workspace.yaml and lerna.json outside node_modules.
 * Documents are parsed once per blob and `Documents` object, so pass the same object for all trees. Answers also depend on the content of
 * those documents; `tried` lists only files that appear or disappear.
 */
export function createTypeScriptResolver(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
): Resolver {
  const workspaces = createWorkspaces(tree, documents, documentPaths);
  const projects = createProjects(tree, documents, documentPaths, workspaces);
  const bare = createBareResolver(tree, documents, workspaces, projects);
  const places = new Map<string, Place>();
  const placeOfFile = new Map<string, Place>();
  const scopes = new Map<string, Scope>();

  function scopeOf(project: Project, directory: string, flavor: Flavor, loads: Scope['loads']): Scope {
    const packageDirectory = nearestPackage(tree, directory);
    const key = `${project.path}\0${packageDirectory}\0${flavor}\0${loads}`;
    return remembered(scopes, key, () => ({ project, packageDirectory, flavor, loads, answers: new Map() }));
  }

  function placeOf(path: string): Place {
    const directory = directoryOf(path);
    const project = projects.of(path);
    const flavor = /\.[cm]?jsx?$/.test(path) ? 'javascript' : 'typescript';
    const loads = /\.c[jt]s$/.test(path) ? 'require' : 'import';
    const key = `${directory}\0${project.path}\0${flavor}\0${loads}`;
    return remembered(places, key, () => ({
      directory,
      scope: scopeOf(project, directory, flavor, loads),
      answers: new Map(),
    }));
  }

  function answer(specifier: string, place: Place): Resolution {
    const unusable = unusableReason(specifier);
    if (unusable !== undefined) return unknown(unusable);
    if (!isRelative(specifier)) return bare(specifier, place.scope);
    const { project, flavor } = place.scope;
    return resolveRelative({ tree, documents, flavor }, project, place.directory, specifier);
  }

  return {
    resolve(specifier, fromPath) {
      const place = remembered(placeOfFile, fromPath, placeOf);
      const answers = isRelative(specifier) ? place.answers : place.scope.answers;
      let resolution = answers.get(specifier);
      if (resolution === undefined) {
        resolution = answer(specifier, place);
        answers.set(specifier, resolution);
      }
      return resolution;
    },
  };
}

/**
 * Paths of configs that `extends` and `references` name and that are not loaded yet, because their name is not one that documents are
 * listed by. Load them and call again until the result is empty.
 */
export function furtherDocuments(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
): string[] {
  return furtherConfigs(tree, documents, documentPaths, createWorkspaces(tree, documents, documentPaths));
}

function nearestPackage(tree: Tree, directory: string): string {
  for (const folder of upwardFrom(directory)) {
    if (tree.blob(childOf(folder, 'package.json')) !== undefined) return folder;
  }
  return '';
}
