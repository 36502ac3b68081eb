import { existsSync, realpathSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { commitTree } from '#git/merges/unions.ts';
import { quotePath, type Scratch } from '#git/objects/scratch.ts';
import { nestedHead } from './nested-head.ts';

export interface Snapshot {
  readonly commit: string;
  /** The commit that is checked out there. */
  readonly head: string;
  readonly isDirty: boolean;
  /** The folder it is the worktree of, whichever folder of it was named. */
  readonly top: string;
}

let counter = 0;

/** A commit of a worktree as it lies on disk, ignored files aside. Uses a copy of its index: the worktree's own stays as it is. */
export async function snapshotWorktree(
  repository: Repository,
  scratch: Scratch,
  path: string,
): Promise<Snapshot> {
  const folder = resolve(repository.from, path);
  const probe = new Git({ cwd: folder });
  const where = await probe.run(
    ['rev-parse', '--git-common-dir', '--git-dir', '--show-toplevel', '--verify', 'HEAD'],
    { accept: [0, 128] },
  );
  const [common = '', gitDir = '', ...rest] = where.stdout.toString('utf8').trimEnd().split('\n');
  const head = rest.pop() ?? '';
  // The name of a folder may have lines.
  const top = rest.join('\n');
  if (common === '' || !sameRepository(repository, resolve(folder, common))) {
    throw new GitError('not-a-worktree', `${path} is not a worktree of this repository`, {
      hint: 'list worktrees with: git worktree list',
    });
  }
  if (where.code !== 0) {
    throw new GitError('no-commit', `the branch that is checked out in ${path} has no commit yet`, {
      hint: 'make the first one: git commit',
    });
  }
  const index = join(scratch.dir, `index-${counter++}`);
  const ownIndex = join(resolve(folder, gitDir), 'index');
  if (existsSync(ownIndex)) {
    const { atime, mtime } = statSync(ownIndex);
    await copyFile(ownIndex, index);
    // Git looks closer at files that are as young as its index: a younger copy would hide what changed since.
    utimesSync(index, atime, mtime);
  }
  const git = new Git({
    cwd: top,
    config: await withoutFilters(probe, `${index}-filters`),
    env: {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: scratch.objectsDir,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(repository.objectsDir),
    },
  });
  const submodules = await readSubmodules(git);
  // Asked about a submodule, git runs git in it, with whatever programs its own settings name.
  const except = submodules.map((each) => `:(exclude,top,literal)${each.path}`);
  await git.run(['add', '--all', '--ignore-errors', '--', '.', ...except], {
    accept: [0, 1],
    ...(except.length === 0 ? {} : { env: { GIT_LITERAL_PATHSPECS: '0' } }),
  });
  await stageSubmodules(git, top, submodules);
  const tree = await git.text(['write-tree']);
  const headTree = await git.text(['rev-parse', '--verify', '--end-of-options', `${head}^{tree}`]);
  if (tree === headTree) return { commit: head, head, isDirty: false, top };
  return { commit: commitTree(scratch, tree, [head]), head, isDirty: true, top };
}

interface Submodule {
  readonly path: string;
  readonly id: string;
}

async function readSubmodules(git: Git): Promise<Submodule[]> {
  const { stdout } = await git.run(['ls-files', '--stage', '-z']);
  return stdout
    .toString('utf8')
    .split('\0')
    .flatMap((record) => {
      const [, id, path] = /^160000 ([0-9a-f]+) \d\t([\s\S]+)$/.exec(record) ?? [];
      return id === undefined || path === undefined ? [] : [{ id, path }];
    });
}

/** Which commit each has checked out, as its own files say. */
async function stageSubmodules(git: Git, top: string, submodules: readonly Submodule[]): Promise<void> {
  for (const { path, id } of submodules) {
    const folder = join(top, path);
    const head = existsSync(folder) ? nestedHead(folder) : id;
    if (!existsSync(folder)) await git.run(['rm', '--cached', '--quiet', '--', path]);
    else if (head !== null && head !== id)
      await git.run(['update-index', '--cacheinfo', `160000,${head},${path}`]);
  }
}

function sameRepository(repository: Repository, commonDir: string): boolean {
  return existsSync(commonDir) && realpathSync(commonDir) === repository.commonDir;
}

/**
 * Clean filters are programs named by the repository: they are switched off rather than run. A name may be empty or no text
 * at all, which no variable can hold: so it is a file that git includes.
 */
async function withoutFilters(git: Git, file: string): Promise<[string, string][]> {
  const listed = await git.run(['config', '--name-only', '-z', '--get-regexp', '^filter\\.'], {
    accept: [0, 1],
  });
  const keys = listed.stdout.toString('latin1').split('\0');
  const names = new Set(keys.flatMap((key) => /^filter\.(.*)\.[^.]+$/s.exec(key)?.[1] ?? []));
  const sections = [...names].map(
    (name) =>
      `[filter "${name.replace(/["\\]/g, '\\$&')}"]\n\tclean =\n\tsmudge =\n\tprocess =\n\trequired = false\n`,
  );
  writeFileSync(file, sections.join(''), 'latin1');
  return [['include.path', file]];
}
