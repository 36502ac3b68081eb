import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '#git/call/repository.ts';
import type { LinkedWorktree } from '#git/refs/refs.ts';
import { worktreeGitDir } from './worktrees.ts';

/** Paths in the index of a worktree that its commit lacks; null when git cannot tell. */
export async function stagedPaths(
  repository: Repository,
  { path, head, isMain }: LinkedWorktree,
): Promise<string[] | null> {
  const gitDir = isMain ? repository.commonDir : await worktreeGitDir(repository, path);
  if (gitDir === null) return null;
  const index = join(gitDir, 'index');
  if (!existsSync(index)) return [];
  const isUnborn = /^0*$/.test(head);
  const against = isUnborn ? await repository.git.text(['hash-object', '-t', 'tree', '--stdin']) : head;
  const { code, stdout } = await repository.git.run(
    [
      ...['diff-index', '--cached', '--raw', '-z', '--no-renames', '--no-ext-diff', '--ita-visible-in-index'],
      ...['--ignore-submodules=dirty', against, '--'],
    ],
    { env: { GIT_INDEX_FILE: index }, accept: [0, 1, 128] },
  );
  if (code !== 0) return null;
  const parts = stdout.toString('utf8').split('\0');
  return parts.flatMap((part, at) =>
    part.startsWith(':') && at % 2 === 0 && !part.endsWith(' D') ? [parts[at + 1] ?? ''] : [],
  );
}
