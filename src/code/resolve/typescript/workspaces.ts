import type { Documents, Tree } from '../../tree.ts';
import { remembered } from '../remembered.ts';
import { baseNameOf, childOf, directoryOf, relativeTo, upwardFrom } from '../repository-path.ts';
import { type MemberTest, readLerna, readManifest, readPnpmWorkspace } from './manifest.ts';

/** Packages of one repository that import each other by name. */
export interface Workspace {
  readonly root: string;
  /** Folders of the members by package name. */
  readonly members: ReadonlyMap<string, string>;
  /** Why there may be members that are not listed. */
  readonly unreadable: string | null;
}

export interface Workspaces {
  /** Workspaces whose root is the folder or holds it, nearest first. */
  above(directory: string): readonly Workspace[];
}

/** Everything is found on demand, so that making this for another tree costs nothing until a package is named. */
export function createWorkspaces(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
): Workspaces {
  const byRoot = new Map<string, Workspace | null>();
  const byDirectory = new Map<string, readonly Workspace[]>();
  let packages: readonly string[] | undefined;

  function packageDirectories(): readonly string[] {
    packages ??= documentPaths.filter((path) => baseNameOf(path) === 'package.json').map(directoryOf);
    return packages;
  }

  function read(root: string): Workspace | null {
    const declarations = [
      readManifest(tree, documents, childOf(root, 'package.json')),
      readPnpmWorkspace(tree, documents, childOf(root, 'pnpm-workspace.yaml')),
      readLerna(tree, documents, childOf(root, 'lerna.json')),
    ];
    const isMember = declarations.flatMap((declaration): MemberTest[] => {
      if (declaration.status !== 'read' || declaration.value === null) return [];
      const test = typeof declaration.value === 'function' ? declaration.value : declaration.value.isMember;
      return test === null ? [] : [test];
    });
    const isUnreadable = declarations.some(({ status }) => status === 'broken' || status === 'unloaded');
    if (isMember.length === 0 && !isUnreadable) return null;
    const listed = listMembers(root, isMember);
    return isUnreadable
      ? { ...listed, unreadable: `the workspace in ${root || '.'} cannot be read` }
      : listed;
  }

  function listMembers(root: string, isMember: readonly MemberTest[]): Workspace {
    const members = new Map<string, string>();
    let unreadable: string | null = null;
    for (const directory of packageDirectories()) {
      const inside = relativeTo(root, directory);
      if (inside === undefined || (inside !== '' && !isMember.some((test) => test(inside)))) continue;
      const path = childOf(directory, 'package.json');
      const manifest = readManifest(tree, documents, path);
      if (manifest.status === 'broken' || manifest.status === 'unloaded')
        unreadable ??= `${path} cannot be read`;
      if (manifest.status !== 'read' || manifest.value.name === undefined) continue;
      if (!members.has(manifest.value.name)) members.set(manifest.value.name, directory);
    }
    return { root, members, unreadable };
  }

  function workspaceAt(root: string): Workspace | null {
    return remembered(byRoot, root, read);
  }

  return {
    above(directory) {
      return remembered(byDirectory, directory, () =>
        [...upwardFrom(directory)].flatMap((root) => workspaceAt(root) ?? []),
      );
    },
  };
}
