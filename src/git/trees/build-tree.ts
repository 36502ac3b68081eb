/** A file, link or submodule of a tree. Paths are bytes, held as latin1, so they sort as in git. */
export interface TreeRow {
  readonly path: string;
  /** As git writes it into trees: 100644. */
  readonly mode: string;
  readonly id: string;
}

/**
 * Builds the tree of these rows, and of every folder in it, from nothing else: the id is that of these files, whatever objects a repository
 * contains. `add` receives the content of each tree, innermost first, and returns its id.
 */
export function buildTree(rows: readonly TreeRow[], add: (content: Buffer) => string): string {
  const root: Folder = { folders: new Map(), rows: [] };
  for (const row of rows) {
    const names = row.path.split('/');
    const name = names.pop() ?? '';
    folderAt(root, names).rows.push({ name, mode: row.mode, id: row.id });
  }
  return write(root, add);
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly rows: { readonly name: string; readonly mode: string; readonly id: string }[];
}

function folderAt(root: Folder, names: readonly string[]): Folder {
  let folder = root;
  for (const name of names) {
    const next = folder.folders.get(name) ?? { folders: new Map(), rows: [] };
    folder.folders.set(name, next);
    folder = next;
  }
  return folder;
}

function write({ folders, rows }: Folder, add: (content: Buffer) => string): string {
  const all = [
    ...rows.map((row) => ({ ...row, key: row.name })),
    // Git sorts folders as if their names ended with a slash.
    ...[...folders].map(([name, below]) => ({ name, mode: '40000', id: write(below, add), key: `${name}/` })),
  ].sort((a, b) => (a.key < b.key ? -1 : 1));
  return add(
    Buffer.concat(
      all.flatMap(({ mode, name, id }) => [
        Buffer.from(`${mode} ${name}\0`, 'latin1'),
        Buffer.from(id, 'hex'),
      ]),
    ),
  );
}
