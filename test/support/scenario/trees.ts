import type { Git } from '#git/call/git.ts';
import { mergePairs } from '#git/merges/unions.ts';

/** For each list of branches, git's merged tree; null if the text does not merge. */
export async function mergeText(
  git: Git,
  unions: readonly (readonly string[])[],
): Promise<(string | null)[]> {
  const firsts = unions.map(([first = '', second = first]) => [first, second] as const);
  const merges = await mergePairs(git, firsts);
  return Promise.all(
    merges.map(async (merge, index) => {
      if (merge.status !== 'clean') return null;
      const [first = '', second = '', third] = unions[index] ?? [];
      if (third === undefined) return merge.tree;
      const parents = ['-p', first, '-p', second, '-m', 'union'];
      const config = ['-c', 'user.name=Joinery', '-c', 'user.email=joinery@localhost'];
      const union = await git.text([...config, 'commit-tree', merge.tree, ...parents]);
      const [last] = await mergePairs(git, [[union, third]]);
      return last?.status === 'clean' ? last.tree : null;
    }),
  );
}

/** Writes each tree to a separate folder below `target`. */
export async function writeTrees(
  git: Git,
  trees: ReadonlyMap<string, string>,
  target: string,
): Promise<void> {
  const lines = [...trees].map(([name, tree]) => `040000 tree ${tree}\t${name}\n`);
  const all = await git.text(['mktree'], { input: lines.join('') });
  await git.run([`--work-tree=${target}`, 'checkout', '-f', all, '--', '.'], {
    env: { GIT_INDEX_FILE: `${target}/.index` },
  });
}
