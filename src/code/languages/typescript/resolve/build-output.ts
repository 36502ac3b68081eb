import { baseNameOf, childOf, relativeTo, upwardFrom } from '#code/resolve/repository-path.ts';
import type { Tree } from '#code/resolve/tree.ts';

/** A folder that a build writes, and the folders its files may come from, best first. */
export interface Output {
  readonly out: string;
  readonly roots: readonly string[];
}

/** Names of folders that packages build into. */
const outputFolders = new Set(['dist', 'lib', 'build', 'out', 'esm', 'cjs', 'es', 'umd', 'types', 'module']);
/** Those of them that hardly anybody writes source in. */
const builtFolders = new Set(['dist', 'build', 'out']);

/**
 * Source files, without extension, that a file of build output may stand for, best first: by the compiler's own
 * `outDir` and `rootDir`, then by the habit of building `src` into `dist`. `subpath` is what was imported.
 */
export function sourceStems(
  target: string,
  directory: string,
  outputs: readonly Output[],
  subpath: string,
): string[] {
  const stem = withoutExtension(target);
  const inside = relativeTo(directory, stem)?.split('/') ?? [];
  const built = inside.findIndex((segment) => !outputFolders.has(segment));
  const stems: string[] = [];
  for (const { out, roots } of outputs) {
    const rest = relativeTo(out, stem);
    if (rest !== undefined) stems.push(...roots.map((root) => childOf(root, rest)));
  }
  for (let depth = built; depth > 0; depth -= 1) {
    const rest = inside.slice(depth).join('/');
    stems.push(childOf(directory, `src/${rest}`), childOf(directory, rest));
  }
  // Bundles are often named after the package: what was asked for says more than what the file is called.
  if (stems.length > 0) stems.push(childOf(directory, `src/${withoutExtension(subpath) || 'index'}`));
  return [...new Set(stems)];
}

/** Whether a package's file is made by a build: it lies in an output folder that the tree does not have. */
export function isBuilt(tree: Tree, target: string, directory: string, outputs: readonly Output[]): boolean {
  const folder = absentFolder(tree, target);
  if (folder === undefined) return false;
  if (outputs.some(({ out }) => relativeTo(out, target) !== undefined)) return true;
  const first = relativeTo(directory, folder)?.split('/', 1)[0];
  return first !== undefined && (outputFolders.has(first) || first.startsWith('.'));
}

/** The output folder, absent from the tree, that a path lies in. Only the clearest names are believed here. */
export function builtFolder(tree: Tree, target: string): string | undefined {
  const folder = absentFolder(tree, target);
  const name = folder === undefined ? '' : baseNameOf(folder);
  return builtFolders.has(name) || name.startsWith('.') ? folder : undefined;
}

/** The outermost folder on the way to a path that the tree does not have. */
function absentFolder(tree: Tree, path: string): string | undefined {
  let absent: string | undefined;
  for (const folder of upwardFrom(path)) {
    if (folder === path) continue;
    if (folder === '' || tree.isDirectory(folder)) return absent;
    absent = folder;
  }
  return absent;
}

function withoutExtension(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
}
