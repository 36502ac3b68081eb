/** What an architect learns about the code before it looks at it. */
export interface CodeOutline {
  readonly files: number;
  /** Folders down to the third level, with the number of files in each. */
  readonly folders: readonly { readonly path: string; readonly files: number }[];
  /** Files that the spec names, with the names they export. */
  readonly named: readonly { readonly path: string; readonly offers: readonly string[] }[];
}

const depth = 3;
const mostFolders = 200;
const mostNames = 40;

export function outlineFolders(paths: readonly string[]): CodeOutline['folders'] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1);
    for (let n = 1; n <= Math.min(parts.length, depth); n++) {
      const folder = `${parts.slice(0, n).join('/')}/`;
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([path, files]) => ({ path, files }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .slice(0, mostFolders);
}

/** Files of the repository that a text mentions: by path, or by a name that only one file has. */
export function filesNamedIn(text: string, paths: readonly string[]): string[] {
  const words = new Set(
    text.match(/[\w@.[\]-]+(?:\/[\w@.[\]-]+)*/g)?.map((word) => word.replace(/(?<![.])[.]+$/, '')),
  );
  const byName = new Map<string, string | null>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    byName.set(name, byName.has(name) ? null : path);
  }
  return paths.filter((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return words.has(path) || (words.has(name) && name.includes('.') && byName.get(name) === path);
  });
}

export function renderOutline({ files, folders, named }: CodeOutline): string {
  return [
    `The repository has ${files} files. Folders, with the number of files in each:`,
    '',
    ...folders.map(({ path, files: count }) => `- ${path} (${count})`),
    ...(named.length === 0
      ? []
      : [
          '',
          'Files that the spec names, with what they offer:',
          '',
          ...named.map(({ path, offers }) => {
            const more = offers.length > mostNames ? [`${offers.length - mostNames} more`] : [];
            const names = [...offers.slice(0, mostNames), ...more].join(', ');
            return `- ${path}${names === '' ? '' : `: ${names}`}`;
          }),
        ]),
  ].join('\n');
}
