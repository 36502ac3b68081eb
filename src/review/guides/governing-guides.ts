const guideName = /^(CLAUDE|AGENTS|.+-CLAUDE)\.md$/;

/** A reviewer reads at most this many. */
const mostGuides = 5;

export interface Guides {
  readonly guides: readonly string[];
  /** Guides beyond that limit. */
  readonly dropped: readonly string[];
}

/** Guides in the folders above a path, the deepest first. `namesIn` lists the files of a folder; '' is the top. */
export function governingGuides(path: string, namesIn: (folder: string) => readonly string[]): string[] {
  const parts = path.split('/').slice(0, -1);
  const folders = [...parts.keys()].map((index) => parts.slice(0, index + 1).join('/')).toReversed();
  return [...folders, ''].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => guideName.test(name))
      .toSorted()
      .map((name) => (folder === '' ? name : `${folder}/${name}`)),
  );
}

export function capGuides(guides: readonly string[]): Guides {
  return { guides: guides.slice(0, mostGuides), dropped: guides.slice(mostGuides) };
}

/** The guides of many files together: the deepest first, then by path. */
export function mergeGuides(each: readonly (readonly string[])[]): Guides {
  const depth = (path: string) => path.split('/').length;
  const all = [...new Set(each.flat())].sort((a, b) => depth(b) - depth(a) || (a < b ? -1 : 1));
  return capGuides(all);
}
