import { encodePath } from '#git/call/path-bytes.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import type { Change, TreeEntry } from './tree.ts';

/** The change of one name in a directory. Names are bytes, held as latin1, so they sort as in git. */
interface Edit {
  /** null: deleted; undefined: only entries below it change. */
  entry?: TreeEntry | null;
  readonly below: Map<string, Edit>;
}

const directoryMode = '40000';

/**
 * Writes the tree that differs from another one by these changes, and returns its id. Reads and writes only the directories above the
 * changes. Null when the repository lacks one of them.
 */
export async function writeChanged(
  { scratch, objects }: { readonly scratch: Scratch; readonly objects: ObjectReader },
  from: string,
  changes: readonly Change[],
): Promise<string | null> {
  const root: Edit = { below: new Map() };
  for (const { oldPath } of changes) if (oldPath !== null) editAt(root, oldPath).entry = null;
  for (const { path, after } of changes) editAt(root, path).entry = after;
  const writer = new TreeWriter(scratch, objects);
  const id = await writer.write(from, root);
  return writer.isComplete ? (id ?? writer.empty()) : null;
}

function editAt(root: Edit, path: string): Edit {
  let edit = root;
  for (const name of encodePath(path).toString('latin1').split('/')) {
    const next = edit.below.get(name) ?? { below: new Map() };
    edit.below.set(name, next);
    edit = next;
  }
  return edit;
}

class TreeWriter {
  readonly #scratch: Scratch;
  readonly #objects: ObjectReader;
  readonly #idLength: number;
  isComplete = true;

  constructor(scratch: Scratch, objects: ObjectReader) {
    this.#scratch = scratch;
    this.#objects = objects;
    this.#idLength = scratch.objectFormat === 'sha256' ? 32 : 20;
  }

  empty(): string {
    return this.#scratch.own.add('tree', Buffer.alloc(0));
  }

  /** Null for an empty directory: git has none. */
  async write(from: string | null, { below }: Edit): Promise<string | null> {
    const rows = from === null ? new Map<string, string>() : await this.#read(from);
    await Promise.all([...below].map(([name, edit]) => this.#edit(rows, name, edit)));
    if (rows.size === 0) return null;
    const sorted = [...rows.keys()].sort().map((key) => rows.get(key));
    return this.#scratch.own.add('tree', Buffer.from(sorted.join(''), 'latin1'));
  }

  async #edit(rows: Map<string, string>, name: string, { entry, below }: Edit): Promise<void> {
    const directory = rows.get(`${name}/`);
    const id =
      entry || below.size === 0
        ? null
        : await this.write(directory ? this.#idIn(directory) : null, { below });
    rows.delete(name);
    rows.delete(`${name}/`);
    if (entry) rows.set(name, rowOf(entry.mode, name, entry.id));
    else if (id !== null) rows.set(`${name}/`, rowOf(directoryMode, name, id));
  }

  /** Unchanged rows, by their sort key: git sorts directories as if their names ended with a slash. */
  async #read(id: string): Promise<Map<string, string>> {
    const content = await this.#objects.content(id, mostFolderBytes);
    if (content === null) this.isComplete = false;
    const text = content?.toString('latin1') ?? '';
    const rows = new Map<string, string>();
    for (let at = 0; at < text.length; ) {
      const space = text.indexOf(' ', at);
      const end = text.indexOf('\0', space);
      const next = end + 1 + this.#idLength;
      const mode = text.slice(at, space);
      const usual = usualMode(mode);
      const name = text.slice(space + 1, end);
      const row = mode === usual ? text.slice(at, next) : `${usual}${text.slice(space, next)}`;
      rows.set(usual === directoryMode ? `${name}/` : name, row);
      at = next;
    }
    return rows;
  }

  #idIn(row: string): string {
    return Buffer.from(row.slice(-this.#idLength), 'latin1').toString('hex');
  }
}

function rowOf(mode: string, name: string, id: string): string {
  return `${mode} ${name}\0${Buffer.from(id, 'hex').toString('latin1')}`;
}

/** A larger folder is left to git. */
const mostFolderBytes = 64 * 1024 * 1024;

const usualModes = new Set([directoryMode, '100644', '100755', '120000', '160000']);

/** Old tools wrote other modes (040000, 100664); git reads them as the usual ones and writes no others. */
function usualMode(mode: string): string {
  if (usualModes.has(mode)) return mode;
  const bits = Number.parseInt(mode, 8);
  switch (bits & 0o170000) {
    case 0o040000:
      return directoryMode;
    case 0o100000:
      return bits & 0o100 ? '100755' : '100644';
    case 0o120000:
      return '120000';
    default:
      return '160000';
  }
}
