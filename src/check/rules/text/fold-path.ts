/** Equal for paths that are the same on file systems that ignore case and Unicode form. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
