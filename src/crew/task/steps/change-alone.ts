import { join } from 'node:path';
import { treeOf, writeCommit } from '#git/merges/branches.ts';
import { mergePairs } from '#git/merges/unions.ts';
import type { VerifiedObjects } from '#git/objects/verified-objects.ts';
import { treeWithChanges } from '#git/trees/pick-changes.ts';
import { type Change, diffTrees } from '#git/trees/tree.ts';

interface Attempted {
  /** Start of the run. */
  readonly base: string;
  /** Start of the attempt: the base with accepted work on it. */
  readonly start: string;
  readonly commit: string;
  readonly at: string;
}

/**
 * The change of an attempt as a commit on the base of the run, without the accepted work it was built on, so that `check`
 * can compare the two. Null when they cannot be separated because both edit the same lines.
 */
export async function changeAlone(
  objects: VerifiedObjects,
  { base, start, commit, at }: Attempted,
): Promise<string | null> {
  const { git } = objects;
  const message = 'the change alone';
  // Git uses the newest common ancestor: with the attempt's start as parent, only the attempt's own change is applied.
  const below = await writeCommit(git, { tree: await treeOf(git, base), parents: [start], message, at });
  const [applied] = await mergePairs(git, [[below, commit]]);
  if (applied?.status !== 'clean') return null;
  const alone = await writeCommit(git, { tree: applied.tree, parents: [base], message, at });
  const [whole] = await mergePairs(git, [[alone, start]]);
  // Valid only if both together are exactly the attempt's result.
  if (whole?.status !== 'clean' || whole.tree !== (await treeOf(git, commit))) return null;
  await objects.publish(alone, [base, commit]);
  return alone;
}

/** The result of an attempt, split into two branches that together give all of it. */
interface Sides {
  /** Its changes of files that accepted work did not touch, on the base of the run. */
  readonly own: string;
  /** Accepted work with its changes of the other files. */
  readonly accepted: string;
}

/** Splits by files a change that cannot be separated from accepted work by lines. */
export async function changeByFiles(objects: VerifiedObjects, attempted: Attempted): Promise<Sides> {
  const { base, start } = attempted;
  const { before, changes } = await changesOf(objects, attempted);
  const theirs = new Set(before.map(({ path }) => path));
  const isTheirs = ({ path }: Change) => theirs.has(path);
  const own = changes.filter((change) => !isTheirs(change));
  return {
    own: await sideOf(objects, attempted, base, own),
    accepted: await sideOf(objects, attempted, start, changes.filter(isTheirs)),
  };
}

/** The files that an attempt changed, and everything else it was built on, each on the base of the run. */
export async function changedFilesApart(objects: VerifiedObjects, attempted: Attempted): Promise<Sides> {
  const { base } = attempted;
  const { changes, all } = await changesOf(objects, attempted);
  const paths = new Set(changes.map(({ path }) => path));
  const isOwn = ({ path }: Change) => paths.has(path);
  const rest = all.filter((change) => !isOwn(change));
  return {
    own: await sideOf(objects, attempted, base, all.filter(isOwn)),
    accepted: await sideOf(objects, attempted, base, rest),
  };
}

/** The same change on two sides that an attempt was built on. */
export async function changeOnEach(
  objects: VerifiedObjects,
  attempted: Attempted,
  sides: readonly [string, string],
): Promise<readonly [string, string]> {
  const { changes } = await changesOf(objects, attempted);
  const [left, right] = sides;
  return [await sideOf(objects, attempted, left, changes), await sideOf(objects, attempted, right, changes)];
}

async function changesOf({ git }: VerifiedObjects, { base, start, commit }: Attempted) {
  const [from = '', begun = '', made = ''] = await Promise.all(
    [base, start, commit].map((each) => treeOf(git, each)),
  );
  const pairs = [
    [from, begun],
    [begun, made],
    [from, made],
  ] as const;
  const [before = [], changes = [], all = []] = await diffTrees(git, pairs, { renames: false });
  return { before, changes, all };
}

async function sideOf(
  objects: VerifiedObjects,
  { commit, at }: Attempted,
  onto: string,
  changes: readonly Change[],
): Promise<string> {
  const { git, dir } = objects;
  const tree = await treeWithChanges(git, join(dir, `index-${commit.slice(0, 12)}`), onto, changes);
  const side = await writeCommit(git, { tree, parents: [onto], message: 'one side of a change', at });
  await objects.publish(side, [onto, commit]);
  return side;
}
