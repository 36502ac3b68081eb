import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Git } from '#git/call/git.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { GitTree } from '#git/trees/tree.ts';
import { noSettings } from './checkout-settings.ts';
import { FolderReader } from './folder-tree.ts';

export interface PlainCheckout {
  readonly path: string;
  /** Whether the folder still contains exactly the files of the checkout. */
  isUntouched(): Promise<boolean>;
}

/**
 * Checks out a tree into a folder that is not a worktree: nothing in it points to the repository, and nothing that the repository
 * configures runs.
 */
export async function checkOutPlain(scratch: Scratch, tree: string, path: string): Promise<PlainCheckout> {
  mkdirSync(path, { recursive: true });
  const git = new Git({
    cwd: path,
    env: {
      GIT_DIR: scratch.dir,
      GIT_WORK_TREE: path,
      // A separate index per checkout: two checkouts of one tree at the same time would lock each other out.
      GIT_INDEX_FILE: join(scratch.dir, `index-${randomUUID()}`),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
    },
  });
  await git.run(['read-tree', tree]);
  await git.run(['checkout-index', '--all', '--force', '--quiet']);
  // Read without git: an agent that works there can configure programs for git to run.
  const reader = new FolderReader({
    path: realpathSync(path),
    scratch,
    base: await GitTree.read(scratch.git, tree),
    settings: noSettings,
    except: [],
    purpose: 'evidence',
  });
  const contents = async () => JSON.stringify(await reader.read());
  // A checkout may have changed line ends: compare with the files as checked out.
  const before = await contents();
  return { path, isUntouched: async () => (await contents().catch(() => '')) === before };
}
