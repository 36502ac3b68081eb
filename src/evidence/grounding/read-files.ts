import type { ObjectReader } from '../../git/object-reader.ts';
import type { Change as GitChange, TreeEntry } from '../../git/tree.ts';
import type { FileChange } from './change.ts';
import { changedLines } from './changed-lines.ts';

/** Larger files are data; nobody reads them line by line. */
const maxFileBytes = 8 * 1024 * 1024;

type Content = { readonly text: string | null; readonly unreadable: string | null };

const nothing: Content = { text: null, unreadable: null };

/** The content of what changed, before and after. */
export function readFiles(objects: ObjectReader, changes: readonly GitChange[]): Promise<FileChange[]> {
  return Promise.all(
    changes.map(async ({ status, path, oldPath, before, after }) => {
      const [old, now] = await Promise.all([contentOf(objects, before), contentOf(objects, after)]);
      return {
        status,
        path,
        oldPath: oldPath ?? path,
        before: old.text,
        after: now.text,
        lines: changedLines(old.text ?? '', now.text ?? ''),
        unreadable: now.unreadable ?? old.unreadable,
      };
    }),
  );
}

/** Links, submodules and binary content are no text; what is missing or huge is unknown. */
async function contentOf(objects: ObjectReader, entry: TreeEntry | null): Promise<Content> {
  if (entry?.kind !== 'file') return nothing;
  const header = await objects.header(entry.id);
  if (!header)
    return { text: null, unreadable: 'the clone does not have its content (partial or damaged clone)' };
  if (header.size > maxFileBytes)
    return { text: null, unreadable: `${Math.round(header.size / 1024 / 1024)} MB, more than is read` };
  const content = await objects.content(entry.id);
  if (!content) return { text: null, unreadable: 'its content cannot be read' };
  if (content[0] === 0xff && content[1] === 0xfe)
    return { text: content.toString('utf16le', 2), unreadable: null };
  return content.includes(0)
    ? nothing
    : { text: content.toString('utf8').replace(/^\uFEFF/, ''), unreadable: null };
}
