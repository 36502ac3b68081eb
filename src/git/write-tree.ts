import type { ObjectReader } from './object-reader.ts';
import { encodePath } from './path-bytes.ts';
import type { Scratch } from './scratch.ts';
import type { Change, TreeEntry } from './tree.ts';

/** What becomes of one name in a directory. Names are bytes, held as latin1: so they sort as git sorts them. */
interface Edit {
  /** null: it is gone; undefined: only what is below it changes. */
  entry?: TreeEntry | null;
  readonly below: Map<string, Edit>;
}

interface Row {
  readonly mode: string;
  readonly id: string;
}

const directoryMode = '40000';

/**
 * Writes the tree that differs from another one by these changes, and returns its id. Only the directories above the
 * changes are read and written. Null when the repository lacks one of them.
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

  /** Null for a directory that holds nothing any more: git has none such. */
  async write(from: string | null, { below }: Edit): Promise<string | null> {
    const rows = from === null ? new Map<string, Row>() : await this.#read(from);
    await Promise.all(
      [...below].map(async ([name, edit]) => {
        const row = await this.#edited(rows.get(name), edit);
        if (row) rows.set(name, row);
        else rows.delete(name);
      }),
    );
    if (rows.size === 0) return null;
    const sorted = [...rows].sort(([a, { mode: modeOfA }], [b, { mode: modeOfB }]) =>
      sortName(a, modeOfA) < sortName(b, modeOfB) ? -1 : 1,
    );
    const content = sorted.flatMap(([name, { mode, id }]) => [
      Buffer.from(`${mode} ${name}\0`, 'latin1'),
      Buffer.from(id, 'hex'),
    ]);
    return this.#scratch.own.add('tree', Buffer.concat(content));
  }

  async #edited(row: Row | undefined, edit: Edit): Promise<Row | null> {
    if (edit.entry) return { mode: edit.entry.mode, id: edit.entry.id };
    if (edit.below.size === 0) return null;
    const id = await this.write(row?.mode === directoryMode ? row.id : null, edit);
    return id === null ? null : { mode: directoryMode, id };
  }

  async #read(id: string): Promise<Map<string, Row>> {
    const content = await this.#objects.content(id);
    if (content === null) this.isComplete = false;
    const rows = new Map<string, Row>();
    for (let at = 0; content && at < content.length; ) {
      const space = content.indexOf(32, at);
      const end = content.indexOf(0, space);
      const next = end + 1 + this.#idLength;
      rows.set(content.toString('latin1', space + 1, end), {
        mode: usualMode(content.toString('latin1', at, space)),
        id: content.toString('hex', end + 1, next),
      });
      at = next;
    }
    return rows;
  }
}

/** Old tools wrote modes of their own (040000, 100664); git reads them as these and writes no others. */
function usualMode(mode: string): string {
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

function sortName(name: string, mode: string): string {
  return mode === directoryMode ? `${name}/` : name;
}
