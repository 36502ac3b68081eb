import type { Git } from '#git/call/git.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import { type RawEntry, rawEntries } from '#git/objects/raw-tree.ts';
import { type Change, diffTrees, entryOf } from './tree.ts';

interface Store {
  readonly scratch: { readonly git: Git; readonly objectFormat: 'sha1' | 'sha256' };
  readonly objects: ObjectReader;
}

/** Reading more folders than this takes longer than starting git. */
const mostFolders = 1000;

/**
 * Changes between pairs of trees, like `diffTrees`, but small differences are read here, from the process that reads objects anyway: starting
 * git takes as long as comparing a hundred folders. Git compares the rest, in one process: where files may have been renamed, where many
 * folders differ, and where a tree is missing or unusual.
 */
export async function compareTrees(
  { scratch, objects }: Store,
  pairs: readonly (readonly [string, string])[],
  options: { readonly renames: boolean },
): Promise<Change[][]> {
  const comparison = new Comparison(objects, scratch.objectFormat);
  const read = await Promise.all(
    pairs.map(async ([from, to]) => (from === to ? [] : comparison.changes(from, to, ''))),
  );
  const answered = read.map((changes) =>
    changes !== null && !(options.renames && mayRename(changes)) ? changes : null,
  );
  const open = pairs.filter((_, at) => answered[at] === null);
  const byGit = (await diffTrees(scratch.git, open, options)).values();
  return answered.map((changes) => changes ?? byGit.next().value ?? []);
}

/** Git looks for renames only where files disappear and others appear. */
function mayRename(changes: readonly Change[]): boolean {
  return (
    changes.some(({ status }) => status === 'deleted') && changes.some(({ status }) => status === 'added')
  );
}

/** By name, with a slash at the end of folders. */
type Folder = ReadonlyMap<string, RawEntry>;

class Comparison {
  readonly #objects: ObjectReader;
  readonly #format: Store['scratch']['objectFormat'];
  readonly #folders = new Map<string, Promise<Folder | null>>();
  /** Counted by place: a few folders that contain each other many times are a huge tree. */
  #visits = 0;

  constructor(objects: ObjectReader, format: Store['scratch']['objectFormat']) {
    this.#objects = objects;
    this.#format = format;
  }

  /** In the order of git; null where git has to be asked. No id: nothing is there. */
  async changes(from: string | undefined, to: string | undefined, above: string): Promise<Change[] | null> {
    if (++this.#visits > mostFolders) return null;
    const [before, after] = await Promise.all([this.#folder(from), this.#folder(to)]);
    if (before === null || after === null) return null;
    const parts = differing(before, after).map((key) => {
      const [old, now] = [before.get(key), after.get(key)];
      return key.endsWith('/')
        ? this.changes(old?.id, now?.id, `${above}${key}`)
        : [changeOf(`${above}${key}`, old, now)];
    });
    const all = await Promise.all(parts);
    return all.includes(null) ? null : all.flatMap((changes) => changes ?? []);
  }

  #folder(id: string | undefined): Promise<Folder | null> {
    if (id === undefined) return Promise.resolve(new Map());
    const known = this.#folders.get(id);
    if (known) return known;
    const read = this.#objects.content(id).then((content) => content && folderOf(content, this.#format));
    this.#folders.set(id, read);
    return read;
  }
}

const usualModes: ReadonlySet<string> = new Set(['100644', '100755', '120000', '160000', '40000']);

/** Null for a folder that only an unusual program writes: git may read it in its own way. */
function folderOf(content: Buffer, format: 'sha1' | 'sha256'): Folder | null {
  const rows = [...rawEntries(content, format)];
  const isUsual = rows.every(({ mode, name }) => usualModes.has(mode) && !name.includes('\ufffd'));
  const folder = new Map(rows.map((row) => [row.mode === '40000' ? `${row.name}/` : row.name, row]));
  return isUsual && folder.size === rows.length ? folder : null;
}

/** Sorted as in git. */
function differing(before: Folder, after: Folder): string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  const found = [...keys].filter((key) => {
    const [old, now] = [before.get(key), after.get(key)];
    return old?.id !== now?.id || old?.mode !== now?.mode;
  });
  return found.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function changeOf(path: string, old: RawEntry | undefined, now: RawEntry | undefined): Change {
  return {
    status: old === undefined ? 'added' : now === undefined ? 'deleted' : 'modified',
    path,
    oldPath: null,
    before: old ? entryOf(old.id, old.mode) : null,
    after: now ? entryOf(now.id, now.mode) : null,
  };
}
