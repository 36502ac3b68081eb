import type { Repository } from '#git/call/repository.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import { rawEntries } from '#git/objects/raw-tree.ts';

interface Entry {
  readonly id: string;
  readonly isFolder: boolean;
}

/** By name; several names may be the same to a file system. */
type Folder = ReadonlyMap<string, readonly Entry[]>;

/** A folder with more than this in it is taken to hold anything. */
const mostFolderBytes = 16 * 1024 * 1024;

/** Paths beyond the limit are read again when they are asked for again. */
const mostFolders = 2000;

/** Answers whether trees hold a path. Folders are read one at a time, and each once, however many trees share it. */
export class TrackedPaths {
  readonly #objects: ObjectReader;
  readonly #format: Repository['objectFormat'];
  readonly #folders = new Map<string, Promise<Folder | null>>();

  constructor(objects: ObjectReader, format: Repository['objectFormat']) {
    this.#objects = objects;
    this.#format = format;
  }

  /**
   * Is there something at the path, below it, or in its way: a file, link or submodule where it has a folder? What
   * cannot be read counts as yes. Names that a file system may take for the same are the same.
   */
  async isTracked(trees: Iterable<string>, path: string): Promise<boolean> {
    let open = new Set(trees);
    for (const part of path.split('/')) {
      const next = new Set<string>();
      for (const folder of await Promise.all([...open].map((id) => this.#folder(id)))) {
        if (folder === null) return true;
        for (const { id, isFolder } of folder.get(foldName(part)) ?? []) {
          if (!isFolder) return true;
          next.add(id);
        }
      }
      open = next;
    }
    return open.size > 0;
  }

  #folder(id: string): Promise<Folder | null> {
    const known = this.#folders.get(id);
    if (known) return known;
    const read = this.#objects
      .blob(id, mostFolderBytes)
      .then((object) => (object?.content ? foldersOf(object.content, this.#format) : null));
    if (this.#folders.size < mostFolders) this.#folders.set(id, read);
    return read;
  }
}

/** As a file system may compare names that ignores case or the way accents are written. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function foldersOf(content: Buffer, format: Repository['objectFormat']): Map<string, Entry[]> {
  const entries = new Map<string, Entry[]>();
  for (const { mode, name, id } of rawEntries(content, format)) {
    const folded = foldName(name);
    entries.set(folded, [...(entries.get(folded) ?? []), { id, isFolder: mode === '40000' }]);
  }
  return entries;
}
