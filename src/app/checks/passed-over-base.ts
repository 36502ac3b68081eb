import { knownDefault } from '#app/workplace/project-base.ts';
import type { LoadedConfig } from '#config/read-config.ts';
import type { Repository } from '#git/call/repository.ts';
import { readName, readRef } from '#git/merges/branches.ts';
import { isRefPattern } from '#git/refs/refs.ts';

const usualNames = /^(?:[\w.-]+\/)?(?:main|master|trunk)$/;

/**
 * The default branch, if the first of several names was taken as the base instead: `joinery check feat/a feat/b`. Only where that name is a
 * branch; a tag or a commit is clearly meant to be the base.
 */
export async function passedOverBase(
  repository: Repository,
  { values }: LoadedConfig,
  { names, hasBase }: { readonly names: readonly string[]; readonly hasBase: boolean },
  taken: { readonly ref: string; readonly commit: string },
): Promise<string | null> {
  const [first = ''] = names;
  // Most checks name the usual base: they start no git for this.
  if (hasBase || names.length < 2 || isRefPattern(first) || usualNames.test(first)) return null;
  const usual = values.base ?? (await knownDefault(repository));
  if (usual === null || isSameBase(taken.ref, usual)) return null;
  if (!(await isBranch(repository, taken.ref))) return null;
  return (await readRef(repository.git, usual)) === taken.commit ? null : usual;
}

/** `main` and `origin/main` are one base. */
export function isSameBase(name: string, base: string): boolean {
  return name === base || name === `origin/${base}` || `origin/${name}` === base;
}

async function isBranch({ git }: Repository, name: string): Promise<boolean> {
  return (
    (await readName(git, `refs/heads/${name}`)) !== null ||
    (await readName(git, `refs/remotes/${name}`)) !== null
  );
}
