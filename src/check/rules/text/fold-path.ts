/** Equal for paths that are equal on file systems that ignore case and Unicode form. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
