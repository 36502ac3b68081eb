import { posix } from 'node:path';

/** Folder of a path of the repository; the root is `''`. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function baseNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The path of `relative` from a folder, undefined when it is absolute or leaves the repository. */
export function within(directory: string, relative: string): string | undefined {
  if (relative.startsWith('/')) return undefined;
  const joined = posix.normalize(directory === '' ? relative : `${directory}/${relative}`);
  if (joined === '..' || joined.startsWith('../')) return undefined;
  if (joined === '.' || joined === './') return '';
  return joined.endsWith('/') ? joined.slice(0, -1) : joined;
}

/** Path of a child whose name is already normalised. */
export function childOf(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}

/** `path` relative to a folder that contains it, undefined when the folder does not; the folder itself is `''`. */
export function relativeTo(directory: string, path: string): string | undefined {
  if (directory === '') return path;
  if (path === directory) return '';
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : undefined;
}

/** The folder itself and its ancestors, nearest first, the root last. */
export function* upwardFrom(directory: string): Generator<string> {
  for (let here = directory; ; here = directoryOf(here)) {
    yield here;
    if (here === '') return;
  }
}
