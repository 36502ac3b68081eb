import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from '#git/call/git.ts';
import type { Meeting } from './index.ts';

/** The text of a file in a tree; empty if it does not exist. */
export async function textIn(git: Git, tree: string, path: string): Promise<string> {
  const { code, stdout } = await git.run(['cat-file', 'blob', `${tree}:${path}`], { accept: [0, 128] });
  return code === 0 ? stdout.toString('utf8') : '';
}

/** The tree in which a conflicted file has the lines of both sides, as a union merge driver would write it. */
export async function keepBoth(git: Git, { merge }: Meeting, path: string): Promise<string> {
  if (merge.status !== 'conflict') throw new Error('there is nothing to keep');
  const marked = await textIn(git, merge.tree, path);
  const kept = marked.replaceAll(/^(?:<{7}|={7}|>{7}).*\n/gm, '');
  const blob = await git.text(['hash-object', '-w', '--stdin'], { input: kept });
  const folder = mkdtempSync(join(tmpdir(), 'joinery-index-'));
  try {
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    await git.run(['read-tree', merge.tree], { env });
    await git.run(['update-index', '--cacheinfo', `100644,${blob},${path}`], { env });
    return await git.text(['write-tree'], { env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
