import { baseNameOf, childOf, directoryOf } from '#code/resolve/repository-path.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { remembered } from '#lib/remembered.ts';
import type { Output } from './build-output.ts';
import { readConfig } from './config-text.ts';
import { locateExtended } from './extended-config.ts';
import { buildProject, noProject, type Project, referencePaths } from './project.ts';
import type { Workspaces } from './workspaces.ts';

const mostReferenced = 500;

export interface Projects {
  /** The project a source file belongs to. */
  of(path: string): Project;
  /** Where the configs directly in a folder write their output. */
  outputsIn(directory: string): readonly Output[];
}

export function createProjects(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
  workspaces: Workspaces,
): Projects {
  const byPath = new Map<string, Project>();
  const nearest = new Map<string, Project>();
  let configsIn: Map<string, string[]> | undefined;

  function projectAt(path: string): Project {
    return remembered(byPath, path, () => buildProject(tree, documents, workspaces, path));
  }

  function nearestTo(directory: string): Project {
    return remembered(nearest, directory, findNearest);
  }

  function findNearest(directory: string): Project {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const path = childOf(directory, name);
      if (tree.blob(path) !== undefined) return projectAt(path);
    }
    return directory === '' ? noProject : nearestTo(directoryOf(directory));
  }

  /** A solution lists other projects instead of files: the first one that covers the file owns it. */
  function referenced(solution: Project, path: string): Project | undefined {
    const queue = [...solution.references];
    const seen = new Set<string>([solution.path]);
    for (const reference of queue) {
      if (seen.has(reference) || seen.size > mostReferenced) continue;
      seen.add(reference);
      const project = projectAt(reference);
      if (project.covers(path)) return project;
      queue.push(...project.references);
    }
    return undefined;
  }

  return {
    of(path) {
      const project = nearestTo(directoryOf(path));
      if (project.references.length === 0 || project.covers(path)) return project;
      return referenced(project, path) ?? project;
    },
    outputsIn(directory) {
      configsIn ??= Map.groupBy(documentPaths.filter(isConfig), directoryOf);
      return (configsIn.get(directory) ?? []).flatMap((path) => projectAt(path).outputs);
    },
  };
}

/**
 * Configs named by `extends` and `references` whose text is not loaded yet. Load them and call again until none is left: a config can only
 * be followed once it is loaded.
 */
export function furtherConfigs(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
  workspaces: Workspaces,
): string[] {
  const queue = documentPaths.filter(isConfig);
  const seen = new Set(queue);
  const unloaded = new Set<string>();
  const follow = (path: string) => {
    if (seen.has(path)) return;
    seen.add(path);
    queue.push(path);
    if (readConfig(tree, documents, path).status === 'unloaded') unloaded.add(path);
  };
  for (const path of queue) {
    const config = readConfig(tree, documents, path);
    if (config.status !== 'read') continue;
    for (const specifier of config.value.extends) {
      const extended = locateExtended(tree, documents, workspaces, path, specifier);
      if (extended.status === 'located') follow(extended.path);
    }
    for (const reference of referencePaths(tree, path, config.value)) follow(reference);
  }
  return [...unloaded].sort();
}

function isConfig(path: string): boolean {
  return path.endsWith('.json') && /^(?:tsconfig|jsconfig\.json$)/.test(baseNameOf(path));
}
