import { existsSync, realpathSync, statSync } from 'node:fs';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Git } from './git.ts';
import { GitError } from './git-error.ts';
import type { Repository } from './repository.ts';
import { quotePath, type Scratch } from './scratch.ts';
import { withoutFilters } from './snapshot.ts';
import { stageAll } from './stage-all.ts';
import { hidesChanges, thorough, worktreeGitDir } from './worktrees.ts';

/** Reads one worktree again and again, each time as the tree that a commit of all of it would have. */
export interface WorktreeReader {
  readonly path: string;
  /** Id of the tree of everything that is not ignored. */
  tree(): Promise<string>;
}

let counter = 0;

/**
 * Uses an index of our own: the worktree's stays as it is, and so does the object store. Folders in `except` are left
 * out: dependencies, which a project may have forgotten to ignore.
 */
export async function openWorktreeReader(
  repository: Repository,
  scratch: Scratch,
  path: string,
  except: readonly string[],
): Promise<WorktreeReader> {
  const gitDir = await findGitDir(repository, path);
  const index = join(scratch.dir, `tree-index-${counter++}`);
  const ownIndex = join(gitDir, 'index');
  if (existsSync(ownIndex)) await copyFile(ownIndex, index);
  const git = new Git({
    cwd: path,
    config: [...(await withoutFilters(repository.git)), ...thorough],
    env: {
      GIT_DIR: gitDir,
      GIT_WORK_TREE: path,
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: scratch.objectsDir,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(repository.objectsDir),
    },
  });
  if (await hidesChanges(git)) await rm(index);
  let latest: { file: string; tree: string } | null = null;
  return {
    path,
    async tree() {
      // A file that cannot be read must not look like one that is not there: any failure is an error.
      const { failed } = await stageAll(git, except);
      if (!failed) {
        // Git replaces the file when it has something to write: the same file is the same tree.
        const file = identityOf(index);
        if (latest?.file !== file) {
          await stageHidden(git, path);
          latest = { file, tree: await git.text(['write-tree']) };
        }
        return latest.tree;
      }
      throw new GitError('unreadable-worktree', `${path} cannot be read: ${failed.stderr.split('\n')[0]}`, {
        exitCode: 5,
        hint: 'make its files readable, or have git ignore them',
      });
    },
  };
}

const keyword = /\$Id(?::[^$\n]*)?\$/g;

/**
 * With the attribute `ident`, git leaves out what stands between `$Id:` and `$`, where anything may stand. Such a file
 * is taken as it lies there, unless it is what a checkout would have written.
 */
async function stageHidden(git: Git, path: string): Promise<void> {
  const listing = await git.run(['ls-files', '--stage', '-z', '--', ':(top,attr:ident)'], {
    env: { GIT_LITERAL_PATHSPECS: '0' },
  });
  for (const record of listing.stdout.toString('utf8').split('\0')) {
    const [, mode, id, name] = /^(100\d+) ([0-9a-f]+) \d\t([\s\S]+)$/.exec(record) ?? [];
    if (mode === undefined || id === undefined || name === undefined) continue;
    const text = await readFile(join(path, name), 'latin1');
    const isPlain = [...text.matchAll(keyword)].every(([word]) => word === '$Id$' || word === `$Id: ${id} $`);
    if (isPlain) continue;
    const raw = await git.text(['hash-object', '-w', '--no-filters', '--', name]);
    await git.run(['update-index', '--cacheinfo', `${mode},${raw},${name}`]);
  }
}

function identityOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : 'none';
}

/** Git's own record of the worktree, not the `.git` in it, which whoever works there may have replaced. */
async function findGitDir(repository: Repository, path: string): Promise<string> {
  const linked = await worktreeGitDir(repository, path);
  if (linked) return linked;
  const probe = await new Git({ cwd: path }).run(['rev-parse', '--git-common-dir', '--git-dir'], {
    accept: [0, 128],
  });
  const [common = '', gitDir = ''] = probe.stdout.toString('utf8').split('\n');
  const isOurs = probe.code === 0 && realpathSync(resolve(path, common)) === repository.commonDir;
  if (isOurs) return resolve(path, gitDir);
  throw new GitError('not-a-worktree', `${path} is not a worktree of this repository`, {
    hint: 'list worktrees with: git worktree list',
  });
}
