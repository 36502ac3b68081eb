import type { BranchTip } from '#check/branches/branch-tips.ts';
import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import { isAncestor, writeCommit } from '#git/merges/branches.ts';
import { type Merge, mergePairs } from '#git/merges/unions.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { outermostOf } from './outermost.ts';

/** A branch that git cannot merge by itself. */
export interface TextConflict {
  /** The result of the merges so far. */
  readonly head: string;
  readonly tip: BranchTip;
  readonly merge: Extract<Merge, { status: 'conflict' }>;
}

/** The tree of a resolution, or why there is none. */
export type Resolution =
  | { readonly status: 'resolved'; readonly tree: string }
  | { readonly status: 'unresolved'; readonly reason: string };

export interface MergeRequest {
  readonly git: Git;
  readonly onto: string;
  readonly tips: readonly BranchTip[];
  readonly at: string;
  /** Resolves text conflicts; null: they stay. Git never takes one side automatically. */
  readonly resolve: ((conflict: TextConflict) => Promise<Resolution>) | null;
  /** After each merge: which of the remaining branches no longer fit, and why. */
  recheck(head: string, rest: readonly BranchTip[]): Promise<Recheck>;
}

interface Recheck {
  readonly refused: ReadonlyMap<string, string>;
  /** Why it is unknown whether the others fit; null when it is known. */
  readonly unclear: string | null;
}

export interface MergedBranches {
  readonly commit: string;
  readonly merged: readonly BranchTip[];
  /** Branches whose text conflicts were resolved. */
  readonly resolved: readonly string[];
  /** The files with resolved conflicts. */
  readonly resolvedPaths: readonly string[];
  /** Set when a check after a merge was inconclusive: merging stopped there. */
  readonly unclear: string | null;
  /** Branches that git could not merge with the earlier ones, and the files with conflicts. */
  readonly conflicts: readonly {
    readonly tip: BranchTip;
    readonly paths: readonly string[];
    readonly reason: string;
  }[];
  /** Branches that no longer fit after an earlier one was merged. */
  readonly blocked: readonly { readonly tip: BranchTip; readonly reason: string }[];
}

/** Merges branches onto a commit, one after the other. Nothing is checked out and no ref moves. */
export async function mergeBranches(request: MergeRequest): Promise<MergedBranches> {
  const { git, tips, at } = request;
  let head = request.onto;
  const merged: BranchTip[] = [];
  const resolved: string[] = [];
  const conflicts: { tip: BranchTip; paths: readonly string[]; reason: string }[] = [];
  const blocked: { tip: BranchTip; reason: string }[] = [];
  const resolvedPaths = new Set<string>();
  let known: Recheck = { refused: new Map(), unclear: null };
  for (const [index, tip] of tips.entries()) {
    if (known.unclear !== null) break;
    const reason = known.refused.get(tip.ref);
    if (reason !== undefined) {
      blocked.push({ tip, reason });
      continue;
    }
    if (await isAncestor(git, tip.commit, head)) {
      merged.push(tip);
      continue;
    }
    const merge = await mergeOne(git, head, tip);
    const resolution = await settle(request, { head, tip }, merge);
    if (resolution.status === 'unresolved') {
      const paths = merge.status === 'conflict' ? merge.paths : [];
      conflicts.push({ tip, paths, reason: resolution.reason });
      continue;
    }
    merged.push(tip);
    if (merge.status === 'conflict') {
      resolved.push(tip.ref);
      for (const path of merge.paths) resolvedPaths.add(path);
    }
    const note =
      merge.status === 'conflict' ? `\n\nResolved by an integrator: ${merge.paths.join(', ')}` : '';
    head = await writeCommit(git, {
      tree: resolution.tree,
      parents: [head, tip.commit],
      message: `Merge ${tip.ref}${note}`,
      at,
    });
    known = await recheckAll(request, head, tips.slice(index + 1), known.refused);
  }
  const { unclear } = known;
  return { commit: head, merged, resolved, resolvedPaths: [...resolvedPaths], unclear, conflicts, blocked };
}

/**
 * A branch that another one is built on is merged with that one, which may correct it: only the outermost are checked, and inner ones when
 * their outer branch is excluded.
 */
async function recheckAll(
  { git, recheck }: MergeRequest,
  head: string,
  tips: readonly BranchTip[],
  known: Recheck['refused'],
): Promise<Recheck> {
  const refused = new Map(known);
  for (;;) {
    const rest = tips.filter(({ ref }) => !refused.has(ref));
    if (rest.length === 0) return { refused, unclear: null };
    const found = await recheck(head, await outermostOf(git, rest));
    if (found.unclear !== null || found.refused.size === 0) return { refused, unclear: found.unclear };
    for (const [ref, reason] of found.refused) refused.set(ref, reason);
  }
}

async function mergeOne(
  git: Git,
  head: string,
  tip: BranchTip,
): Promise<Exclude<Merge, { status: 'failed' }>> {
  const [merge] = await mergePairs(git, [[head, tip.commit]]);
  if (merge && merge.status !== 'failed') return merge;
  throw new GitError('merge-failed', `git could not merge ${tip.ref}: ${merge?.reason ?? 'no answer'}`, {
    exitCode: exitCodes.environment,
  });
}

async function settle(
  { resolve }: MergeRequest,
  place: Pick<TextConflict, 'head' | 'tip'>,
  merge: Exclude<Merge, { status: 'failed' }>,
): Promise<Resolution> {
  if (merge.status === 'clean') return { status: 'resolved', tree: merge.tree };
  const paths = merge.paths.join(', ');
  if (!resolve) return { status: 'unresolved', reason: `does not merge: ${paths}` };
  const resolution = await resolve({ ...place, merge });
  return resolution.status === 'resolved'
    ? resolution
    : { status: 'unresolved', reason: `does not merge: ${paths}; ${resolution.reason}` };
}
