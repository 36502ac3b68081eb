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
  /** Root folder of the worktree, whichever folder inside it was named. */
  readonly top: string;
}

let counter = 0;

/** A commit of a worktree's files on disk, without ignored ones. Uses a copy of the index, so the worktree's index does not change. */
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
  // The name of a folder may contain line ends.
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
    // Git inspects files that are as new as its index: a newer copy of the index would hide later changes.
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
  // For a submodule git would run git in it, with the programs that its settings name.
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

/** Stages the commit that each submodule has checked out, read from its files. */
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
 * Clean filters are programs that the repository names: they are disabled. Their names may be empty or not UTF-8, which no variable can
 * hold, so the settings go into a file that git includes.
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
