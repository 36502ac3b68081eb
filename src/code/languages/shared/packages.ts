/**
 * The path of a module that consists of all files of a folder: `store/*.go`. It is used wherever the path of a file could be: in
 * resolutions, in traces, as the place where a name is missing.
 */
export function packageIn(folder: string, ending: string): string {
  return folder === '' ? `*${ending}` : `${folder}/*${ending}`;
}

/** The folder and extension of a package; null for the path of a file. */
export function partsOfPackage(path: string): { readonly folder: string; readonly ending: string } | null {
  if (!path.includes('*')) return null;
  const match = /^(?:(.*)\/)?\*(\.\w+)$/.exec(path);
  return match ? { folder: match[1] ?? '', ending: match[2] ?? '' } : null;
}
