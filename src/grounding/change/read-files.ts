import type { Change as GitChange, TreeEntry } from '#git/trees/tree.ts';
import { changedLines } from '#lib/changed-lines.ts';
import type { FileChange } from './change.ts';
import type { Contents } from './contents.ts';

/** Larger files are data and are not read line by line. */
const maxFileBytes = 8 * 1024 * 1024;
/** The longest path that systems accept. */
const maxTargetBytes = 4096;

type Content = { readonly text: string | null; readonly unreadable: string | null };

const nothing: Content = { text: null, unreadable: null };

/** The content of what changed, before and after. */
export function readFiles(contents: Contents, changes: readonly GitChange[]): Promise<FileChange[]> {
  return Promise.all(
    changes.map(async ({ status, path, oldPath, before, after }) => {
      const [old, now] = await Promise.all([contentOf(contents, before), contentOf(contents, after)]);
      return {
        status,
        path,
        oldPath: oldPath ?? path,
        before: old.text,
        after: now.text,
        lines: changedLines(old.text ?? '', now.text ?? ''),
        unreadable: now.unreadable ?? old.unreadable,
        ...(after?.kind === 'symlink' ? { target: await targetOf(contents, after) } : {}),
      };
    }),
  );
}

async function targetOf(contents: Contents, { id }: TreeEntry): Promise<string> {
  return (await contents.look(id, maxTargetBytes))?.content?.toString('utf8') ?? '';
}

/** Links, submodules and binary content are not text; missing or huge content is unknown. */
async function contentOf(contents: Contents, entry: TreeEntry | null): Promise<Content> {
  if (entry?.kind !== 'file') return nothing;
  const blob = await contents.look(entry.id, maxFileBytes);
  if (!blob)
    return { text: null, unreadable: 'the clone does not have its content (partial or damaged clone)' };
  const { content, size } = blob;
  if (!content) return { text: null, unreadable: `${Math.round(size / 1024 / 1024)} MB, more than is read` };
  if (content[0] === 0xff && content[1] === 0xfe)
    return { text: content.toString('utf16le', 2), unreadable: null };
  return content.includes(0)
    ? nothing
    : { text: content.toString('utf8').replace(/^\uFEFF/, ''), unreadable: null };
}
