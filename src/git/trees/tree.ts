import { isUtf8 } from 'node:buffer';
import type { Git } from '#git/call/git.ts';
import { decodePath } from '#git/call/path-bytes.ts';
import { isJoineryError } from '#schema/errors.ts';

type EntryKind = 'file' | 'symlink' | 'submodule';

export interface TreeEntry {
  readonly id: string;
  readonly kind: EntryKind;
  /** As git writes it into trees: 100644. */
  readonly mode: string;
}

export interface Change {
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed';
  readonly path: string;
  /** Previous path of a renamed file. */
  readonly oldPath: string | null;
  readonly before: TreeEntry | null;
  readonly after: TreeEntry | null;
}

/** The paths of one tree: a full listing, or a listing plus the changes from it to this tree. */
export class GitTree {
  readonly id: string;
  readonly #listing: Listing;
  readonly #overlay: ReadonlyMap<string, TreeEntry | null>;
  readonly #directoryChange: ReadonlyMap<string, number>;

  private constructor(id: string, listing: Listing, overlay: ReadonlyMap<string, TreeEntry | null>) {
    this.id = id;
    this.#listing = listing;
    this.#overlay = overlay;
    this.#directoryChange = countDirectories(overlay, listing);
  }

  static async read(git: Git, id: string): Promise<GitTree> {
    return GitTree.of(id, await listTree(git, id));
  }

  static of(id: string, listing: Buffer | string): GitTree {
    return new GitTree(id, new Listing(listing), new Map());
  }

  /** The tree `id`, which differs from this one by exactly these changes. */
  withChanges(id: string, changes: readonly Change[]): GitTree {
    const overlay = new Map(this.#overlay);
    for (const change of changes) {
      if (change.oldPath !== null) overlay.set(change.oldPath, null);
    }
    for (const change of changes) overlay.set(change.path, change.after);
    return new GitTree(id, this.#listing, overlay);
  }

  /** The differences from the listing it was made from; null: the entry is deleted. */
  get differences(): ReadonlyMap<string, TreeEntry | null> {
    return this.#overlay;
  }

  entry(path: string): TreeEntry | undefined {
    const changed = this.#overlay.get(path);
    return changed === undefined ? this.#listing.entry(path) : (changed ?? undefined);
  }

  /** Id of the regular file at a path. */
  blob(path: string): string | undefined {
    const entry = this.entry(path);
    return entry?.kind === 'file' ? entry.id : undefined;
  }

  isDirectory(path: string): boolean {
    return this.filesBelow(path) > 0;
  }

  filesBelow(directory: string): number {
    return (this.#listing.directories.get(directory) ?? 0) + (this.#directoryChange.get(directory) ?? 0);
  }

  /** Sorted paths of the regular files directly in a folder; the root is `''`. */
  files(directory: string): string[] {
    const changed = [...this.#overlay.keys()].filter((path) => folderOf(path) === directory);
    const paths = new Set([...this.#listing.files(directory), ...changed]);
    return [...paths].filter((path) => this.blob(path) !== undefined).sort();
  }

  /** Sorted paths that pass a test. The listing is scanned once per test, however many trees share it. */
  matching(test: (path: string) => boolean): string[] {
    const listed = this.#listing.matching(test).filter((path) => this.#overlay.get(path) !== null);
    const added = [...this.#overlay].filter(
      ([path, entry]) => entry && !this.#listing.has(path) && test(path),
    );
    return added.length === 0 ? listed : [...listed, ...added.map(([path]) => path)].sort();
  }
}

/** Every file of a tree, as git lists it. A listing that is valid UTF-8, as nearly all are, is returned as one string. */
export async function listTree(git: Git, id: string): Promise<Buffer | string> {
  const { stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', id]);
  return isUtf8(stdout) ? stdout.toString('utf8') : stdout;
}

class Listing {
  /** Rows as git wrote them until they are needed: of most files only the path is ever used. */
  readonly #rows = new Map<string, string | TreeEntry>();
  readonly #matches = new Map<(path: string) => boolean, string[]>();
  #directories: Map<string, number> | null = null;
  #files: Map<string, string[]> | null = null;

  constructor(listing: Buffer | string) {
    if (typeof listing === 'string') readRows(listing, this.#rows);
    else readByteRows(listing, this.#rows);
  }

  has(path: string): boolean {
    return this.#rows.has(path);
  }

  entry(path: string): TreeEntry | undefined {
    const row = this.#rows.get(path);
    if (typeof row !== 'string') return row;
    const [mode = '', , id = ''] = row.split(' ');
    const entry = entryOf(id, mode);
    this.#rows.set(path, entry);
    return entry;
  }

  /** Number of files below each directory. */
  get directories(): ReadonlyMap<string, number> {
    this.#directories ??= this.#countDirectories();
    return this.#directories;
  }

  #countDirectories(): Map<string, number> {
    const files = new Map<string, number>();
    for (const path of this.#rows.keys()) {
      const directory = folderOf(path);
      files.set(directory, (files.get(directory) ?? 0) + 1);
    }
    const counts = new Map<string, number>();
    for (const [directory, count] of files) addToDirectories(counts, `${directory}/`, count);
    return counts;
  }

  files(directory: string): readonly string[] {
    this.#files ??= Map.groupBy(this.#rows.keys(), folderOf);
    return this.#files.get(directory) ?? [];
  }

  matching(test: (path: string) => boolean): string[] {
    const known = this.#matches.get(test) ?? [...this.#rows.keys()].filter(test).sort();
    this.#matches.set(test, known);
    return known;
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function countDirectories(
  overlay: ReadonlyMap<string, TreeEntry | null>,
  listing: Listing,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [path, entry] of overlay) {
    const existed = listing.has(path);
    if (entry && !existed) addToDirectories(counts, path, 1);
    if (!entry && existed) addToDirectories(counts, path, -1);
  }
  return counts;
}

function addToDirectories(counts: Map<string, number>, path: string, by: number): void {
  counts.set('', (counts.get('') ?? 0) + by);
  for (const directory of directoriesAbove(path)) counts.set(directory, (counts.get(directory) ?? 0) + by);
}

/** Innermost first, without the root. */
export function* directoriesAbove(path: string): Generator<string> {
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
    yield path.slice(0, slash);
}

/** Changes between pairs of trees, one process for all pairs. */
export async function diffTrees(
  git: Git,
  pairs: readonly (readonly [string, string])[],
  options: { renames: boolean },
): Promise<Change[][]> {
  const different = pairs.filter(([from, to]) => from !== to);
  if (different.length === 0) return pairs.map(() => []);
  const changes = await diffDifferent(git, different, options.renames ? ['-M', '-l2000'] : ['--no-renames']);
  return pairs.map(([from, to]) => (from === to ? [] : (changes.get(`${from} ${to}`) ?? [])));
}

/** Files that moved unchanged: detected by id, without reading content. */
const exactRenames = ['-M100%'];

/** Git fails at content that the clone lacks, because it cannot compare the files: only that pair gets exact renames. */
async function diffDifferent(
  git: Git,
  pairs: readonly (readonly [string, string])[],
  renames: readonly string[],
): Promise<Map<string, Change[]>> {
  const options = ['-r', '-z', '--raw', '--no-abbrev', '--no-ext-diff', '--no-textconv', ...renames];
  try {
    const { stdout } = await git.run(['diff-tree', '--stdin', ...options], {
      input: `${pairs.map(([from, to]) => `${from} ${to}`).join('\n')}\n`,
    });
    return parseDiffs(stdout, pairs);
  } catch (error) {
    if (!isJoineryError(error) || error.code !== 'objects-missing' || renames === exactRenames) throw error;
    if (pairs.length === 1) return diffDifferent(git, pairs, exactRenames);
    const half = Math.ceil(pairs.length / 2);
    const first = await diffDifferent(git, pairs.slice(0, half), renames);
    return new Map([...first, ...(await diffDifferent(git, pairs.slice(half), renames))]);
  }
}

function parseDiffs(output: Buffer, pairs: readonly (readonly [string, string])[]): Map<string, Change[]> {
  const headers = new Set(pairs.map(([from, to]) => `${from} ${to}`));
  const result = new Map<string, Change[]>();
  let current: Change[] = [];
  let at = 0;
  const next = (): Buffer => {
    const end = output.indexOf(0, at);
    const record = output.subarray(at, end);
    at = end + 1;
    return record;
  };
  while (at < output.length) {
    if (output[at] !== 58 /* : */) {
      const end = output.indexOf(10, at);
      const header = output.toString('latin1', at, end);
      if (!headers.has(header)) throw new Error(`diff-tree printed an unexpected line: ${header}`);
      current = [];
      result.set(header, current);
      at = end + 1;
      continue;
    }
    const meta = next().toString('latin1').slice(1).split(' ');
    const [oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = meta;
    const first = decodePath(next());
    const renamed = status.startsWith('R');
    const path = renamed ? decodePath(next()) : first;
    current.push({
      status: statusOf(status),
      path,
      oldPath: renamed ? first : null,
      before: oldMode === '000000' ? null : entryOf(oldId, oldMode),
      after: newMode === '000000' ? null : entryOf(newId, newMode),
    });
  }
  return result;
}

function statusOf(letter: string): Change['status'] {
  switch (letter[0]) {
    case 'A':
      return 'added';
    case 'D':
      return 'deleted';
    case 'R':
      return 'renamed';
    default:
      return 'modified';
  }
}

/** The entry that git writes as `100644 blob <id>`. */
export function entryOf(id: string, mode: string): TreeEntry {
  // The usual modes are constants: otherwise a large tree would hold a copy of the text for each file.
  switch (mode) {
    case '100644':
      return { id, kind: 'file', mode: '100644' };
    case '100755':
      return { id, kind: 'file', mode: '100755' };
    case '120000':
      return { id, kind: 'symlink', mode: '120000' };
    case '160000':
      return { id, kind: 'submodule', mode: '160000' };
    default:
      return { id, kind: 'file', mode };
  }
}

/** Fills `rows` with `<mode> <type> <id>` by path. */
function readRows(text: string, rows: Map<string, string | TreeEntry>): void {
  for (let start = 0; start < text.length; ) {
    const tab = text.indexOf('\t', start);
    const end = text.indexOf('\0', tab);
    rows.set(text.slice(tab + 1, end), text.slice(start, tab));
    start = end + 1;
  }
}

function readByteRows(output: Buffer, rows: Map<string, string | TreeEntry>): void {
  for (let start = 0; start < output.length; ) {
    const tab = output.indexOf(9, start);
    const end = output.indexOf(0, tab);
    rows.set(decodePath(output.subarray(tab + 1, end)), output.toString('latin1', start, tab));
    start = end + 1;
  }
}
