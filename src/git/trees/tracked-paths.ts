import type { Repository } from '#git/call/repository.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import { rawEntries } from '#git/objects/raw-tree.ts';

interface Entry {
  readonly id: string;
  readonly isFolder: boolean;
}

/** By name; several names may be equal for a file system. */
type Folder = ReadonlyMap<string, readonly Entry[]>;

/** A larger folder counts as containing every path. */
const mostFolderBytes = 16 * 1024 * 1024;

/** Most folders in the cache; others are read again each time. */
const mostFolders = 2000;

/** Tells whether trees contain a path. Folders are read one at a time, and each once, however many trees share it. */
export class TrackedPaths {
  readonly #objects: ObjectReader;
  readonly #format: Repository['objectFormat'];
  readonly #folders = new Map<string, Promise<Folder | null>>();

  constructor(objects: ObjectReader, format: Repository['objectFormat']) {
    this.#objects = objects;
    this.#format = format;
  }

  /**
   * Whether something is at the path, below it, or in its way (a file, link or submodule where the path needs a folder). True when a folder
   * cannot be read. Compares names as a file system that ignores case would.
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

/** Makes names equal that are equal for a file system that ignores case or the encoding of accents. */
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
