import { posix } from 'node:path';
import type { Git } from './git.ts';
import { ObjectReader } from './object-reader.ts';

/**
 * Files of a commit by path, as text; what is not there is left out. A link to a file of the same commit is followed
 * once: AGENTS.md is often a link to CLAUDE.md.
 */
export async function readFilesAt(
  git: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const reader = new ObjectReader(git);
  try {
    const read = async (path: string): Promise<{ text: string; isLink: boolean } | null> => {
      const entry = await treeEntry(git, commit, path);
      const content = entry && (await reader.content(entry.id));
      return content ? { text: content.toString('utf8').replace(/^\uFEFF/, ''), isLink: entry.isLink } : null;
    };
    const found = await Promise.all(
      paths.map(async (path) => {
        const file = await read(path);
        if (!file?.isLink) return [path, file] as const;
        const target = await read(posix.join(posix.dirname(path), file.text));
        return [path, target?.isLink ? null : target] as const;
      }),
    );
    return new Map(found.flatMap(([path, file]) => (file ? [[path, file.text] as const] : [])));
  } finally {
    reader.close();
  }
}

async function treeEntry(
  git: Git,
  commit: string,
  path: string,
): Promise<{ id: string; isLink: boolean } | null> {
  if (path === '' || path.startsWith('/') || path.startsWith('..')) return null;
  const line = await git.text(['ls-tree', '-z', '--full-tree', '--end-of-options', commit, path]);
  const match = /^(100644|100755|120000) blob ([0-9a-f]+)\t/.exec(line);
  return match?.[2] ? { id: match[2], isLink: match[1] === '120000' } : null;
}
