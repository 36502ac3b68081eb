/** Lock files that are written in a data format we read. */
const lockFiles = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'packages.lock.json',
  'conda-lock.yml',
  'conda-lock.yaml',
  'shard.lock.yml',
]);

/**
 * Is it written by a package manager, and written anew when it conflicts? Such files are long, nobody edits their keys by
 * hand, and to read one takes seconds.
 */
export function isLockFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return lockFiles.has(name) || name.endsWith('.lock');
}
