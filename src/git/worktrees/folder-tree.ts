import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { encodePath } from '#git/call/path-bytes.ts';
import { objectId } from '#git/objects/own-objects.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { buildTree, type TreeRow } from '#git/trees/build-tree.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { type CheckoutSettings, isSet } from './checkout-settings.ts';
import { type ChangedFile, convertFiles, mayConvert } from './convert-files.ts';
import { type FolderFile, type FolderFiles, listFolder, pathIn, unreadable } from './folder-files.ts';
import { IgnoreRules } from './ignore-rules.ts';

export interface FolderSource {
  /** Its real path. */
  readonly path: string;
  /** Receives content that the base does not have. */
  readonly scratch: Scratch;
  /** The commit that was checked out there. `scratch` has its objects. */
  readonly base: GitTree;
  readonly settings: CheckoutSettings;
  /** Folders that count as on the base: dependencies, which a project may have forgotten to ignore. */
  readonly except: readonly string[];
  /**
   * `work`: what git would commit, without nested repositories. `evidence`: every file in the folder, including nested repositories and
   * what attributes hide from git.
   */
  readonly purpose: 'work' | 'evidence';
  /** Ignored files that count, in addition to those of the base. */
  readonly tracked?: readonly string[];
  /** Gives up reading. */
  readonly signal?: AbortSignal;
}

export interface FolderReading {
  readonly tree: string;
  /** Nested repositories. */
  readonly nested: readonly string[];
}

/** A larger file is an error: it is not work to commit, unless the base has it. */
const mostFileBytes = 128n * 1024n ** 2n;
const mostBytesOfBase = 1024n ** 3n;
/** More new content is not work to commit either. */
const mostWorkBytes = 512 * 1024 ** 2;
/** Content that is held in memory before it is stored. */
const mostHeldBytes = 32 * 1024 ** 2;

/**
 * Reads a folder, repeatedly, as the tree that a commit of all its files would have. Git does not run there and its files are not trusted:
 * each id is computed here, from the bytes on disk.
 */
export class FolderReader {
  readonly #source: FolderSource;
  readonly #base: ReadonlyMap<string, TreeRow>;
  readonly #folders: ReadonlySet<string>;
  readonly #submodules: ReadonlySet<string>;
  /** Blobs and trees that are stored already. */
  readonly #stored = new Set<string>();
  readonly #ignore: IgnoreRules;
  readonly #known = new Map<string, Known>();
  readonly #seen = new Map<string, Known>();
  #latest: FolderReading | null = null;
  #rewritten: readonly string[] = [];

  constructor(source: FolderSource) {
    const { base, settings, tracked = [] } = source;
    this.#source = source;
    const rows = rowsOf(base);
    this.#base = new Map(rows.map((row) => [row.path, row]));
    const counted = [...this.#base.keys(), ...tracked];
    this.#folders = new Set(counted.flatMap((path) => [...foldersAbove(path)]));
    this.#submodules = new Set(rows.filter(({ mode }) => mode === submodule).map(({ path }) => path));
    for (const { id } of rows) this.#stored.add(id);
    buildTree(rows, (content) => {
      const id = this.#idOfTree(content);
      this.#stored.add(id);
      return id;
    });
    const { excludes } = settings;
    this.#ignore = IgnoreRules.from(
      [excludes.repository, excludes.user],
      isSet(settings, 'core.ignorecase', false),
    );
  }

  /** Files that were rewritten between the last two reads with the same content. */
  get rewritten(): readonly string[] {
    return this.#rewritten;
  }

  async read(): Promise<FolderReading> {
    const { path, except, purpose, tracked = [], signal } = this.#source;
    const explicit = new Set(tracked);
    const found = await listFolder(path, {
      ignore: this.#ignore,
      except,
      tracked: {
        has: (file) => this.#base.has(file) || explicit.has(file),
        isFolder: (folder) => this.#folders.has(folder),
      },
      ...(purpose === 'work' ? { closed: this.#submodules } : {}),
      ...(signal ? { signal } : {}),
    });
    this.#rewritten = [];
    if (this.#latest && this.#isAsBefore(found)) return this.#latest;
    const leftOut = purpose === 'work' ? found.nested : [];
    const rows = await this.#rowsOf(withoutNested(found, leftOut));
    const { own } = this.#source.scratch;
    const tree = buildTree([...rows, ...this.#keptRows(rows, leftOut)], (content) => {
      const id = this.#idOfTree(content);
      return this.#stored.has(id) ? id : own.add('tree', content);
    });
    this.#latest = { tree, nested: found.nested };
    return this.#latest;
  }

  /** Every file was read before and has not changed. */
  #isAsBefore({ files, nested }: FolderFiles): boolean {
    return (
      this.#submodules.size === 0 &&
      files.length === this.#known.size &&
      files.every(({ path, stat }) => this.#known.get(path)?.sign === signOf(stat)) &&
      nested.join('\0') === this.#latest?.nested.join('\0')
    );
  }

  #idOfTree(content: Buffer): string {
    return objectId(this.#source.scratch.objectFormat, 'tree', content);
  }

  /** Rows that count as on the base, whatever is in the folder now. */
  #keptRows(rows: readonly TreeRow[], leftOut: readonly string[]): TreeRow[] {
    const { path: root, except } = this.#source;
    const folders = [...except.map((folder) => encodePath(folder).toString('latin1')), ...leftOut];
    const isBelow = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
    const isFolder = (path: string) =>
      lstatSync(pathIn(root, path), { throwIfNoEntry: false })?.isDirectory() ?? false;
    const isFilled = (path: string) => rows.some((row) => row.path.startsWith(`${path}/`));
    return [...this.#base.values()].filter(
      ({ path, mode }) => isBelow(path) || (mode === submodule && isFolder(path) && !isFilled(path)),
    );
  }

  async #rowsOf(files: readonly FolderFile[]): Promise<TreeRow[]> {
    const { path: root, purpose, signal } = this.#source;
    const rows = new Map<string, TreeRow>();
    let changed: ChangedFile[] = [];
    let heldBytes = 0;
    let changedBytes = 0;
    const rewritten: string[] = [];
    const store = async () => {
      for (const [path, id] of await this.#convert(files, changed)) {
        const row = rows.get(path);
        if (row) rows.set(path, { ...row, id });
        const known = this.#known.get(path);
        if (known) this.#known.set(path, { ...known, id });
      }
      changed = [];
      heldBytes = 0;
    };
    const paths = new Set(files.map(({ path }) => path));
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
    for (const file of files) {
      const known = this.#known.get(file.path);
      const held = changed.length;
      const id = known && known.sign === signOf(file.stat) ? known.id : this.#readFile(file, changed);
      rows.set(file.path, { path: file.path, mode: this.#modeOf(file), id });
      const sign = signOf(file.stat);
      const before = this.#seen.get(file.path);
      if (before?.id === id && before.sign !== sign) rewritten.push(file.path);
      this.#seen.set(file.path, { sign, id });
      const bytes = changed.slice(held).reduce((sum, { content }) => sum + content.length, 0);
      heldBytes += bytes;
      changedBytes += bytes;
      if (purpose === 'work' && changedBytes > mostWorkBytes)
        throw unreadable(root, `its new files have more than ${mostWorkBytes / 1024 ** 2} MB`);
      if (heldBytes > mostHeldBytes) await store();
      // Lets other tasks run.
      if (rows.size % 100 === 0 || bytes > mostHeldBytes) await setImmediate();
      signal?.throwIfAborted();
    }
    await store();
    this.#rewritten = rewritten.map((path) => Buffer.from(path, 'latin1').toString('utf8'));
    return [...rows.values()];
  }

  /** The raw id. Content that the base lacks is stored, or passed on for conversion. */
  #readFile(file: FolderFile, changed: ChangedFile[]): string {
    const { scratch } = this.#source;
    const readAt = Date.now();
    const content = this.#contentOf(file);
    const id = objectId(scratch.objectFormat, 'blob', content);
    const isLink = file.stat.isSymbolicLink();
    if (this.#base.get(file.path)?.id !== id && !isLink) changed.push({ path: file.path, content, id });
    else if (!this.#stored.has(id)) scratch.own.add('blob', content);
    // A file that is rewritten within one tick of the file system's clock would look unchanged.
    if (readAt - Number(file.stat.ctimeMs) > settleMs)
      this.#known.set(file.path, { sign: signOf(file.stat), id });
    else this.#known.delete(file.path);
    return id;
  }

  /** Synchronous: for most files, waiting costs more than reading. */
  #contentOf({ path, stat }: FolderFile): Buffer {
    const { path: root } = this.#source;
    const where = pathIn(root, path);
    if (stat.size > (this.#base.has(path) ? mostBytesOfBase : mostFileBytes))
      throw unreadable(root, `${path} has ${stat.size} bytes`);
    try {
      if (stat.isSymbolicLink()) return readlinkSync(where, { encoding: 'buffer' });
      const file = openSync(where, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const opened = fstatSync(file, { bigint: true });
        if (!opened.isFile() || opened.ino !== stat.ino || opened.dev !== stat.dev)
          throw new Error(`${path} changed while it was read`);
        return readFileSync(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      throw unreadable(root, (error as Error).message);
    }
  }

  /** Ids after line ends, encodings and filters, for files with such a setting; the others are stored unchanged. */
  async #convert(
    files: readonly FolderFile[],
    changed: readonly ChangedFile[],
  ): Promise<ReadonlyMap<string, string>> {
    const { scratch, settings, path, purpose } = this.#source;
    if (changed.length === 0) return new Map();
    if (!mayConvert(settings, files)) {
      for (const { id, content } of changed) if (!this.#stored.has(id)) scratch.own.add('blob', content);
      return new Map();
    }
    const attributes: ChangedFile[] = [];
    for (const file of files.filter(({ path: each }) => /(^|\/)\.gitattributes$/.test(each)))
      if (file.stat.isFile()) attributes.push({ path: file.path, content: this.#contentOf(file), id: '' });
    try {
      const ids = await convertFiles(scratch, settings, attributes, changed);
      // The attribute `ident` hides the text between `$Id:` and `$`, so such a file counts with its raw bytes.
      for (const { path: each, id, content } of purpose === 'evidence' ? changed : []) {
        if (!hasForeignIdent(content, ids.get(each) ?? '')) continue;
        scratch.own.add('blob', content);
        ids.set(each, id);
      }
      return ids;
    } catch (error) {
      throw unreadable(path, (error as Error).message);
    }
  }

  #modeOf({ path, stat }: FolderFile): string {
    const { settings } = this.#source;
    const before = this.#base.get(path)?.mode;
    if (stat.isSymbolicLink()) return link;
    if (before === link && !isSet(settings, 'core.symlinks', true)) return link;
    if (!isSet(settings, 'core.filemode', true) && (before === '100644' || before === '100755'))
      return before;
    return stat.mode & 0o100n ? '100755' : '100644';
  }
}

interface Known {
  readonly sign: string;
  readonly id: string;
}

const settleMs = 100;
const link = '120000';
const submodule = '160000';

/** No program can reset `ctime`. */
function signOf(stat: BigIntStats): string {
  return `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.mode}`;
}

function rowsOf(tree: GitTree): TreeRow[] {
  return tree.matching(any).map((path) => {
    const entry = tree.entry(path);
    return { path: encodePath(path).toString('latin1'), mode: entry?.mode ?? '', id: entry?.id ?? '' };
  });
}

const any = () => true;

function* foldersAbove(path: string): Generator<string> {
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) yield path.slice(0, end);
}

function withoutNested({ files }: FolderFiles, nested: readonly string[]): readonly FolderFile[] {
  if (nested.length === 0) return files;
  return files.filter(({ path }) => !nested.some((folder) => path.startsWith(`${folder}/`)));
}

function hasForeignIdent(content: Buffer, id: string): boolean {
  const words = content.toString('latin1').matchAll(/\$Id(?::[^$\n]*)?\$/g);
  return [...words].some(([word]) => word !== '$Id$' && word !== `$Id: ${id} $`);
}
