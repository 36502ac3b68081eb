import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import type { Scratch } from '#git/objects/scratch.ts';
import { GitTree } from '#git/trees/tree.ts';
import { readCheckoutSettings, withoutPrograms } from './checkout-settings.ts';
import { FolderReader } from './folder-tree.ts';

/** Reads one worktree repeatedly, each time as the tree that a commit of all its files would have. */
export interface WorktreeReader {
  readonly path: string;
  /** Id of the tree of all files that are not ignored. */
  tree(): Promise<string>;
  /** Files that were rewritten between the last two reads with the same content. */
  rewritten?(): readonly string[];
}

/**
 * For a worktree that is in use. Its index only says which ignored files are tracked; nested repositories are read like any other folder.
 * Folders in `except` are left out: dependencies, which a project may have forgotten to ignore.
 */
export async function openWorktreeReader(
  repository: Repository,
  scratch: Scratch,
  path: string,
  except: readonly string[],
): Promise<WorktreeReader> {
  const { gitDir, head } = await findGitDir(repository, path);
  const git = new Git({ cwd: repository.commonDir, env: { GIT_DIR: gitDir } });
  const { stdout } = await git.run(['ls-files', '-z', '--cached']);
  const reader = new FolderReader({
    path: realpathSync(path),
    scratch,
    base: head === null ? GitTree.of('', '') : await GitTree.read(scratch.git, head),
    settings: withoutPrograms(await readCheckoutSettings(repository)),
    except,
    purpose: 'evidence',
    tracked: stdout.toString('latin1').split('\0').slice(0, -1),
  });
  return { path, tree: async () => (await reader.read()).tree, rewritten: () => reader.rewritten };
}

async function findGitDir(
  repository: Repository,
  path: string,
): Promise<{ readonly gitDir: string; readonly head: string | null }> {
  const probe = await new Git({ cwd: path }).run(['rev-parse', '--git-common-dir', '--git-dir', 'HEAD'], {
    accept: [0, 128],
  });
  const [common, gitDir, head = ''] = probe.stdout.toString('utf8').split('\n');
  const isOurs =
    common !== undefined &&
    gitDir !== undefined &&
    realpathSync(resolve(path, common)) === repository.commonDir;
  if (isOurs) return { gitDir: resolve(path, gitDir), head: /^[0-9a-f]{40,64}$/.test(head) ? head : null };
  throw new GitError('not-a-worktree', `${path} is not a worktree of this repository`, {
    hint: 'list worktrees with: git worktree list',
  });
}
