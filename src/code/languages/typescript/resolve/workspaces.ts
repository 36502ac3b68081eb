import { baseNameOf, childOf, directoryOf, relativeTo, upwardFrom } from '#code/resolve/repository-path.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';
import { remembered } from '#lib/remembered.ts';
import { type MemberTest, readLerna, readManifest, readPnpmWorkspace } from './manifest.ts';

/** Packages of one repository that import each other by name. */
interface Workspace {
  readonly root: string;
  /** Folders of the members by package name. */
  readonly members: ReadonlyMap<string, string>;
  /** Why there may be members that are not listed. */
  readonly unreadable: string | null;
}

export interface Workspaces {
  /** Workspaces whose root is the folder or contains it, nearest first. */
  above(directory: string): readonly Workspace[];
}

/** The package.json files of one tree. */
interface Manifests {
  readonly paths: readonly string[];
  readonly blobs: readonly (string | undefined)[];
}

/** A workspace with everything it was computed from. */
interface Listing extends Manifests {
  readonly isMember: readonly MemberTest[];
  readonly workspace: Workspace;
}

/** The last listing, by root: the next tree mostly has the same packages. */
const lastListed = new WeakMap<Documents, Map<string, Listing>>();

/** Everything is computed on demand, so that creating this for another tree costs nothing until a package is named. */
export function createWorkspaces(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
): Workspaces {
  const byRoot = new Map<string, Workspace | null>();
  const byDirectory = new Map<string, readonly Workspace[]>();
  const last = lastListed.get(documents) ?? new Map<string, Listing>();
  lastListed.set(documents, last);
  let manifests: Manifests | undefined;

  function readManifests(): Manifests {
    const paths = documentPaths.filter((path) => baseNameOf(path) === 'package.json');
    return { paths, blobs: paths.map((path) => tree.blob(path)) };
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
    const listed = list(root, isMember);
    return isUnreadable
      ? { ...listed, unreadable: `the workspace in ${root || '.'} cannot be read` }
      : listed;
  }

  function list(root: string, isMember: readonly MemberTest[]): Workspace {
    manifests ??= readManifests();
    const { paths, blobs } = manifests;
    const known = last.get(root);
    const isSame =
      known !== undefined &&
      areSame(known.isMember, isMember) &&
      areSame(known.blobs, blobs) &&
      areSame(known.paths, paths);
    if (isSame) return known.workspace;
    const workspace = listMembers(root, isMember, paths);
    // A document that cannot be read now may be loaded later.
    if (workspace.unreadable === null) last.set(root, { paths, blobs, isMember, workspace });
    return workspace;
  }

  function listMembers(root: string, isMember: readonly MemberTest[], paths: readonly string[]): Workspace {
    const members = new Map<string, string>();
    let unreadable: string | null = null;
    for (const path of paths) {
      const directory = directoryOf(path);
      const inside = relativeTo(root, directory);
      if (inside === undefined || (inside !== '' && !isMember.some((test) => test(inside)))) continue;
      const manifest = readManifest(tree, documents, path);
      if (manifest.status === 'broken' || manifest.status === 'unloaded')
        unreadable ??= `${path} cannot be read`;
      if (manifest.status !== 'read' || manifest.value.name === undefined) continue;
      if (!members.has(manifest.value.name)) members.set(manifest.value.name, directory);
    }
    return { root, members, unreadable };
  }

  return {
    above(directory) {
      return remembered(byDirectory, directory, () =>
        [...upwardFrom(directory)].flatMap((root) => remembered(byRoot, root, read) ?? []),
      );
    },
  };
}

function areSame<T>(left: readonly T[], right: readonly T[]): boolean {
  return (
    left === right || (left.length === right.length && left.every((item, index) => item === right[index]))
  );
}
