/**
 * A module that is all files of a folder: `store/*.go`. Such a path leads to the package wherever a path of a file could
 * stand: in resolutions, in traces, as the place where a name is missing.
 */
export function packageIn(folder: string, ending: string): string {
  return folder === '' ? `*${ending}` : `${folder}/*${ending}`;
}

/** The folder and ending of a package; null for the path of a file. */
export function partsOfPackage(path: string): { readonly folder: string; readonly ending: string } | null {
  const match = /^(?:(.*)\/)?\*(\.\w+)$/.exec(path);
  return match ? { folder: match[1] ?? '', ending: match[2] ?? '' } : null;
}
