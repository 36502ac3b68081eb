import type { CheckContext } from '#check/context.ts';
import type { Change } from '#git/trees/tree.ts';

/**
 * Versions of base's files that base no longer has and no branch brings back: they are compared with one fork and then never again, so
 * their facts need not stay in memory.
 */
export async function passingVersions({
  base,
  branches,
  trees,
}: Pick<CheckContext, 'base' | 'branches' | 'trees'>): Promise<(changes: readonly Change[]) => string[]> {
  const { git } = await trees.get(base.tree);
  const staying = new Set([
    ...git.matching(() => true).map((path) => git.blob(path)),
    ...branches.flatMap(({ changes, merged }) =>
      [...changes, ...(merged?.changes ?? [])].map(({ after }) => after?.id),
    ),
  ]);
  return (changes) => changes.flatMap(({ before }) => (before && !staying.has(before.id) ? [before.id] : []));
}
