import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { repoKey } from '../model/paths.ts';
import { Git } from './git.ts';
import { GitError } from './git-error.ts';

/** A repository as found on disk. Nothing here writes to it. */
export interface Repository {
  /** Runs in the repository with the user's configuration: for names, refs and worktrees only. */
  readonly git: Git;
  /** The folder it was opened from: where paths that people type begin. */
  readonly from: string;
  /** Real path of the common git directory, shared by all worktrees. */
  readonly commonDir: string;
  readonly objectsDir: string;
  /** Top of the working tree; null in a bare repository. */
  readonly workTree: string | null;
  /** Names our folders for it. */
  readonly key: string;
  readonly objectFormat: 'sha1' | 'sha256';
  readonly isShallow: boolean;
}

export async function openRepository(dir: string): Promise<Repository> {
  const git = new Git({ cwd: dir });
  const probe = await git.run(
    [
      'rev-parse',
      '--git-common-dir',
      '--git-path',
      'objects',
      '--show-object-format',
      '--is-shallow-repository',
      '--is-bare-repository',
      // Last, because git gives up here where there is no working tree.
      '--show-toplevel',
    ],
    { accept: [0, 128] },
  );
  const [common = '', objects = '', format = '', shallow = '', bare, ...top] = probe.stdout
    .toString('utf8')
    .replace(/\n$/, '')
    .split('\n');
  if (bare === undefined) throw notARepository(dir, probe.stderr);
  const commonDir = realpathSync(resolve(dir, common));
  const workTree = probe.code === 0 ? top.join('\n') : null;
  return {
    git,
    from: dir,
    commonDir,
    objectsDir: realpathSync(resolve(dir, objects)),
    workTree,
    key: repoKey(commonDir),
    objectFormat: format === 'sha256' ? 'sha256' : 'sha1',
    isShallow: shallow === 'true',
  };
}

function notARepository(dir: string, stderr: string): GitError {
  if (/dubious ownership/.test(stderr)) {
    return new GitError('unsafe-repository', `git refuses ${dir}: it belongs to another user`, {
      hint: `if you trust it: git config --global --add safe.directory ${dir}`,
    });
  }
  if (/not a git repository/i.test(stderr)) {
    return new GitError('not-a-repository', `${dir} is not inside a git repository`, {
      hint: 'go into a repository, or name one with -C <dir>',
    });
  }
  return new GitError(
    'unreadable-repository',
    `${dir} cannot be read as a git repository: ${stderr.split('\n')[0]}`,
  );
}
