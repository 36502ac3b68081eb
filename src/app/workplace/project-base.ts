import { configAt } from '#config/judging-config.ts';
import type { LoadedConfig, Override } from '#config/read-config.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { readRef } from '#git/merges/branches.ts';
import { defaultBranch } from '#git/refs/refs.ts';
import { readFilesAt } from '#git/trees/files-at.ts';

interface Over {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: readonly Override[];
}

/**
 * What work is compared with; null: the default branch. A person decides by flag or variable, the project by the settings
 * on its default branch. The checkout's settings are ignored: the branch under test may have written them.
 */
export async function projectBase(
  repository: Repository,
  disk: LoadedConfig,
  over: Over,
  warn: (warning: string) => void,
): Promise<string | null> {
  const { base = null } = disk.values;
  if (base === null || disk.origin('base').kind !== 'project') return base;
  const main = await knownDefault(repository);
  const commit = main === null ? null : await readRef(repository.git, main);
  if (main === null || commit === null) return base;
  const files = (paths: readonly string[]) => readFilesAt(repository.git, commit, paths);
  const counting = (await configAt(commit, files, over)).values.base ?? null;
  if ((counting ?? main) !== base)
    warn(
      `${disk.file}: "base" is ${base} in this checkout; ${counting ?? main} counts, as on ${main}; to name another: --base <rev>`,
    );
  return counting;
}

/** null: it has none. */
export async function knownDefault(repository: Repository): Promise<string | null> {
  try {
    return await defaultBranch(repository);
  } catch (error) {
    if (error instanceof GitError && ['no-base', 'no-commit'].includes(error.code)) return null;
    throw error;
  }
}
