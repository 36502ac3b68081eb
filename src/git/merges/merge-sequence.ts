import type { Scratch } from '#git/objects/scratch.ts';
import { commitTree, type Merge, mergePairs, noAnswer } from './unions.ts';

export interface Landed {
  readonly commit: string;
  readonly tree: string;
}

/** A commit to merge, and the result of merging it with base. */
export interface Landing {
  readonly commit: string;
  readonly merged: Landed;
}

export interface Sequence {
  readonly tree: string;
  /** Indexes of the commits that git merged, in this order. */
  readonly accepted: readonly number[];
  readonly refused: readonly { readonly index: number; readonly merge: Merge }[];
}

/**
 * Merges commits into base one after the other, as `git merge` does, and leaves out those that conflict with earlier ones. One start of git
 * can do many merges but prints all answers at the end. So the trees are guessed first, in a few starts; then git repeats every merge of
 * the sequence on the guessed trees, and only these answers count.
 */
export async function mergeInSequence(
  scratch: Scratch,
  base: Landed,
  landings: readonly Landing[],
): Promise<Sequence> {
  let guesses = landings.length > 2 ? await guessTrees(scratch, landings) : [landings[0]?.merged.tree];
  const accepted: number[] = [];
  const refused: { index: number; merge: Merge }[] = [];
  let head = base;
  for (let at = 0; at < landings.length; ) {
    const heads = [head];
    for (let next = at; next < landings.length - 1 && guesses[next] !== undefined; next++)
      heads.push(mergeCommit(scratch, heads.at(-1) ?? head, landings[next], guesses[next] ?? ''));
    const merges = await mergePairs(
      scratch.git,
      heads.map((before, offset) => [before.commit, landings[at + offset]?.commit ?? ''] as const),
    );
    for (const merge of merges) {
      const index = at++;
      if (merge.status === 'clean') {
        accepted.push(index);
        head = mergeCommit(scratch, head, landings[index], merge.tree);
      } else refused.push({ index, merge });
      if (merge.status === 'clean' && merge.tree === guesses[index]) continue;
      // Guesses based on a wrong guess are void.
      guesses = [];
      break;
    }
  }
  // A commit that was refused at its place may merge after the others have landed.
  const late: typeof refused = [];
  for (const { index } of refused) {
    const commit = landings[index]?.commit ?? '';
    const [merge = noAnswer] = await mergePairs(scratch.git, [[head.commit, commit]]);
    if (merge.status !== 'clean') late.push({ index, merge });
    else {
      accepted.push(index);
      head = mergeCommit(scratch, head, landings[index], merge.tree);
    }
  }
  return { tree: head.tree, accepted, refused: late };
}

function mergeCommit(scratch: Scratch, before: Landed, landing: Landing | undefined, tree: string): Landed {
  return { commit: commitTree(scratch, tree, [before.commit, landing?.commit ?? '']), tree };
}

/** Guesses the tree after each merge by merging neighbours: the merged ranges double in each round. Undefined where a merge conflicts. */
async function guessTrees(scratch: Scratch, landings: readonly Landing[]): Promise<(string | undefined)[]> {
  let ranges: (Landed | undefined)[] = landings.map(({ merged }) => merged);
  for (let length = 1; length < landings.length; length *= 2) {
    const pairs = ranges.flatMap((right, at) => {
      const left = ranges[at - length];
      return left && right ? [{ at, left, right }] : [];
    });
    const merges = await mergePairs(
      scratch.git,
      pairs.map(({ left, right }) => [left.commit, right.commit] as const),
    );
    // Ranges that start at the first commit are complete.
    const next: typeof ranges = ranges.map((range, at) => (at < length ? range : undefined));
    for (const [index, { at, left, right }] of pairs.entries()) {
      const merge = merges[index];
      if (merge?.status !== 'clean') continue;
      next[at] = { commit: commitTree(scratch, merge.tree, [left.commit, right.commit]), tree: merge.tree };
    }
    ranges = next;
  }
  return ranges.map((range) => range?.tree);
}
