import { dialects } from './index.ts';

const indexStems = new Set(
  dialects.flatMap(({ imports }) => imports.indexFiles.map((name) => name.replace(/\..*$/, ''))),
);

/** The word that imports of a module contain; an index file has the name of its folder. */
export function moduleWord(path: string): string {
  const parts = path.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\..*$/, '');
  return indexStems.has(stem) ? (parts.at(-2) ?? stem) : stem;
}
