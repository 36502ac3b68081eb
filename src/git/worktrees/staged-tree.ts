import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { quotePath, type Scratch } from '#git/objects/scratch.ts';

export interface StagedTree {
  /** The tree that the next commit would have. */
  readonly tree: string;
  /** Commit or, before the first commit, the empty tree. */
  readonly parent: string;
  readonly hasParent: boolean;
}

/** The tree of the index. A copy of the index is read: the index itself is not touched. */
export async function readStagedTree(repository: Repository, scratch: Scratch): Promise<StagedTree> {
  const probe = new Git({ cwd: repository.from });
  const gitDir = resolve(repository.from, await probe.text(['rev-parse', '--git-dir']));
  const index = join(scratch.dir, 'index-staged');
  if (existsSync(join(gitDir, 'index'))) await copyFile(join(gitDir, 'index'), index);
  const git = new Git({
    cwd: repository.from,
    env: {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: scratch.objectsDir,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(repository.objectsDir),
    },
  });
  const written = await git.run(['write-tree'], { accept: [0, 128] });
  if (written.code !== 0) {
    throw new GitError('unmerged-index', 'the index holds conflicts that are not resolved', {
      hint: 'resolve them and stage the files: git add <file>',
    });
  }
  const head = await git.run(['rev-parse', '--verify', '-q', 'HEAD^{commit}'], { accept: [0, 1, 128] });
  const hasParent = head.code === 0;
  const empty = () => git.text(['hash-object', '-w', '-t', 'tree', '--stdin']);
  return {
    tree: written.stdout.toString('utf8').trim(),
    parent: hasParent ? head.stdout.toString('utf8').trim() : await empty(),
    hasParent,
  };
}
