import { baseNameOf, childOf, directoryOf, upwardFrom, within } from '#code/resolve/repository-path.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { remembered } from '#lib/remembered.ts';
import { type PlacedPackage, type PythonProject, readPyproject, readSetupConfig } from './project.ts';

/** Where absolute imports of some folders look, in order. Folders with the same list share one object. */
export interface SearchPath {
  readonly roots: readonly string[];
  /** Roots of projects and configured roots, without folders that only contain the importing file. */
  readonly tops: readonly string[];
  readonly packages: readonly PlacedPackage[];
  /** Roots of other projects of the repository, which may also be installed. */
  readonly foreign: readonly string[];
  readonly dependencies: ReadonlySet<string>;
  /** Why there may be more roots. */
  readonly unreadable: string | null;
  /** Cache of resolutions along this path, by specifier. */
  readonly answers: Map<string, Resolution>;
}

type Surroundings = Omit<SearchPath, 'roots' | 'answers'>;

export interface SearchPaths {
  of(directory: string): SearchPath;
}

interface LocatedProject {
  readonly directory: string;
  readonly project: PythonProject;
  readonly unreadable: string | null;
}

const nothingSaid: PythonProject = { roots: [], packages: [], dependencies: new Set() };

/** First `configured` roots, then those of the projects around the folder, then common conventions. */
export function createSearchPaths(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
  configured: readonly string[],
): SearchPaths {
  const byDirectory = new Map<string, SearchPath>();
  const byContent = new Map<string, SearchPath>();
  const byAnchor = new Map<string, Surroundings>();
  let projects: ReadonlyMap<string, LocatedProject[]> | undefined;

  function projectsByDirectory(): ReadonlyMap<string, LocatedProject[]> {
    projects ??= Map.groupBy(readProjects(tree, documents, documentPaths), ({ directory }) => directory);
    return projects;
  }

  /** The projects in a folder and above it; `anchor` is the nearest folder that has one. */
  function surroundings(anchor: string): Surroundings {
    const all = [...projectsByDirectory().values()].flat();
    const own = [...upwardFrom(anchor)].flatMap((folder) => projectsByDirectory().get(folder) ?? []);
    const others = all.filter((project) => !own.includes(project));
    return {
      tops: unique([
        ...configured.flatMap((root) => within('', root) ?? []),
        ...own.flatMap(hintedRoots),
        ...own.flatMap((project) => habitualRoots(project.directory)),
        ...habitualRoots(''),
      ]),
      packages: own.flatMap(placedPackages),
      foreign: unique(
        others.flatMap((project) => [...hintedRoots(project), ...habitualRoots(project.directory)]),
      ),
      dependencies: new Set(own.flatMap(({ project }) => [...project.dependencies])),
      unreadable: own.find(({ unreadable }) => unreadable !== null)?.unreadable ?? null,
    };
  }

  function build(directory: string): SearchPath {
    const above = [...upwardFrom(directory)];
    const anchor = above.find((folder) => projectsByDirectory().has(folder)) ?? '';
    const scripts = above.filter((folder) => !isPackage(tree, folder));
    return remembered(byContent, [anchor, ...scripts].join('\0'), () => {
      const around = remembered(byAnchor, anchor, surroundings);
      return { ...around, roots: unique([...around.tops, ...scripts]), answers: new Map() };
    });
  }

  return { of: (directory) => remembered(byDirectory, directory, build) };
}

const readers = new Map([
  ['pyproject.toml', readPyproject],
  ['setup.cfg', readSetupConfig],
]);

function readProjects(tree: Tree, documents: Documents, documentPaths: readonly string[]): LocatedProject[] {
  return [...documentPaths].sort().flatMap((path): LocatedProject[] => {
    const reading = readers.get(baseNameOf(path))?.(tree, documents, path);
    if (reading === undefined || reading.status === 'absent') return [];
    const directory = directoryOf(path);
    return reading.status === 'read'
      ? [{ directory, project: reading.value, unreadable: null }]
      : [{ directory, project: nothingSaid, unreadable: `${path} cannot be read` }];
  });
}

export function isPackage(tree: Tree, directory: string): boolean {
  return ['__init__.py', '__init__.pyi'].some((name) => tree.blob(childOf(directory, name)) !== undefined);
}

function hintedRoots({ directory, project }: LocatedProject): string[] {
  return project.roots.flatMap((root) => within(directory, root) ?? []);
}

/** The flat layout and the `src` layout. */
function habitualRoots(directory: string): string[] {
  return [directory, childOf(directory, 'src')];
}

function placedPackages({ directory, project }: LocatedProject): PlacedPackage[] {
  return project.packages.flatMap((placed) => {
    const folder = within(directory, placed.directory);
    return folder === undefined ? [] : [{ name: placed.name, directory: folder }];
  });
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
