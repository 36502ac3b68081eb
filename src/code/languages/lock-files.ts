/** Lock files in a data format that Joinery reads. */
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
 * Whether a package manager writes it, and rewrites it on conflicts. Such files are long, people do not edit them by hand, and reading one
 * takes seconds.
 */
export function isLockFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return lockFiles.has(name) || name.endsWith('.lock');
}
