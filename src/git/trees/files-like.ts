import { posix } from 'node:path';
import type { GitTree } from './tree.ts';

/** Files of a tree that are most like these ones: of the same name, then with the same ending; the nearest first. */
export function filesLike(tree: GitTree, samples: readonly string[], most: number): string[] {
  const found = new Set<string>();
  for (const isAlike of [sameName, sameEnding])
    for (const sample of samples)
      for (const path of nearest(
        tree.matching((each) => isAlike(each, sample)),
        sample,
      ).slice(0, most / samples.length / 2))
        found.add(path);
  return [...found];
}

function sameName(a: string, b: string): boolean {
  return posix.basename(a) === posix.basename(b);
}

function sameEnding(a: string, b: string): boolean {
  return posix.extname(a) === posix.extname(b);
}

function nearest(paths: readonly string[], sample: string): string[] {
  return paths
    .map((path) => ({ path, shared: sharedStart(path, sample) }))
    .sort((a, b) => b.shared - a.shared)
    .map(({ path }) => path);
}

/** The length of the text with which both start. */
function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
