import { baseNameOf, childOf, relativeTo, upwardFrom } from '#code/resolve/repository-path.ts';
import type { Tree } from '#code/resolve/tree.ts';

/** The output folder of a build, and the folders its files may come from, best first. */
export interface Output {
  readonly out: string;
  readonly roots: readonly string[];
}

/** Common names of output folders. */
const outputFolders = new Set(['dist', 'lib', 'build', 'out', 'esm', 'cjs', 'es', 'umd', 'types', 'module']);
/** Those that almost never contain source. */
const builtFolders = new Set(['dist', 'build', 'out']);

/**
 * Source files, without extension, that a file of build output may come from, best first: by the compiler's `outDir` and `rootDir`, then by
 * the convention of building `src` into `dist`. `subpath` is what was imported.
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
  // Bundles are often named after the package: the imported subpath is a better hint than the file's name.
  if (stems.length > 0) stems.push(childOf(directory, `src/${withoutExtension(subpath) || 'index'}`));
  return [...new Set(stems)];
}

/** Whether a build creates a package's file: it is in an output folder that the tree does not have. */
export function isBuilt(tree: Tree, target: string, directory: string, outputs: readonly Output[]): boolean {
  const folder = absentFolder(tree, target);
  if (folder === undefined) return false;
  if (outputs.some(({ out }) => relativeTo(out, target) !== undefined)) return true;
  const first = relativeTo(directory, folder)?.split('/', 1)[0];
  return first !== undefined && (outputFolders.has(first) || first.startsWith('.'));
}

/** The output folder, absent from the tree, that contains a path. Only the clearest names count here. */
export function builtFolder(tree: Tree, target: string): string | undefined {
  const folder = absentFolder(tree, target);
  const name = folder === undefined ? '' : baseNameOf(folder);
  return builtFolders.has(name) || name.startsWith('.') ? folder : undefined;
}

/** The outermost folder of a path that the tree does not have. */
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
