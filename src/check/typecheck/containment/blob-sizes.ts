import type { ObjectReader } from '#git/objects/object-reader.ts';
import type { GitTree } from '#git/trees/tree.ts';

/** Bytes of files of a tree, by path; files that a clone lacks count as 0. */
export async function blobSizes(
  objects: ObjectReader,
  tree: GitTree,
  isWanted: (path: string) => boolean,
): Promise<Map<string, number>> {
  const paths = tree.matching(isWanted).flatMap((path) => {
    const blob = tree.blob(path);
    return blob === undefined ? [] : [[path, blob] as const];
  });
  const headers = await Promise.all(paths.map(([, blob]) => objects.header(blob)));
  return new Map(paths.map(([path], index) => [path, headers[index]?.size ?? 0]));
}
