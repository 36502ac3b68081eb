import { rmSync } from 'node:fs';
import type { Git } from '#git/call/git.ts';
import { encodePath } from '#git/call/path-bytes.ts';
import type { Change } from './tree.ts';

/** Writes the tree `from` with exactly these changes into the repository. `index`: a file that no other process uses. */
export async function treeWithChanges(
  git: Git,
  index: string,
  from: string,
  changes: readonly Change[],
): Promise<string> {
  const env = { GIT_INDEX_FILE: index };
  try {
    await git.run(['read-tree', from], { env });
    const rows = changes.flatMap(({ path, oldPath, after }) => [
      ...(oldPath === null ? [] : [row(null, oldPath)]),
      row(after, path),
    ]);
    await git.run(['update-index', '-z', '--index-info'], { env, input: Buffer.concat(rows) });
    return await git.text(['write-tree'], { env });
  } finally {
    rmSync(index, { force: true });
  }
}

/** Mode 0 removes a path. */
function row(entry: Change['after'], path: string): Buffer {
  const head = entry === null ? `0 ${'0'.repeat(40)}` : `${entry.mode} ${entry.id}`;
  return Buffer.concat([Buffer.from(`${head}\t`), encodePath(path), Buffer.from('\0')]);
}
