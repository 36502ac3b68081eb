import { runIds } from '#crew/state/catalogue.ts';
import { integrationBranch } from '#crew/state/names.ts';
import type { KeepPlace } from '#crew/steer/keep-work.ts';
import { keepRefs } from '#crew/steer/prune.ts';
import { deleteRefs, isAncestor, listRefs, readRef } from '#git/merges/branches.ts';
import { listWorktrees } from '#git/refs/refs.ts';
import { claimedDigest, readReceipt, receiptsPrefix } from '#integrate/receipt/receipt.ts';
import type { PruneReport } from '#schema/run.ts';
import type { RunRoom } from './run-room.ts';

type LeftBranch = NonNullable<PruneReport['integrations']>[number];

interface Left extends LeftBranch {
  /** Checked out or held by a process: it stays, even with `--force`. */
  readonly isInUse: boolean;
}

/**
 * Branches that `joinery integrate <branch>…` left behind and that belong to no run. One that did not land and contains an
 * agent's resolutions holds unique work. `hold` is called for each before it is examined.
 */
export async function leftIntegrations(
  { repository, runs }: RunRoom,
  hold: (id: string) => boolean,
): Promise<Left[]> {
  const { git } = repository;
  const known = new Set(runIds(runs.engine));
  const checkedOut = new Set((await listWorktrees(repository)).map(({ branch }) => branch));
  const left: Left[] = [];
  for (const ref of (await listRefs(git, receiptsPrefix)).keys()) {
    const id = ref.slice(receiptsPrefix.length);
    if (known.has(id)) continue;
    const branch = `refs/heads/${integrationBranch(id)}`;
    const isHeld = hold(id);
    const tip = (await listRefs(git, branch)).get(branch);
    const stored = tip === undefined ? null : await readReceipt(git, id).catch(() => null);
    // The work of a run that another machine drives belongs to that run.
    if (stored === null || stored.receipt.branches.some(({ tasks }) => tasks !== undefined)) continue;
    const { receipt, digest } = stored;
    const target = await readRef(git, `refs/heads/${receipt.target.ref.replace(/^refs\/heads\//, '')}`);
    const isLanded = target !== null && (await isAncestor(git, tip ?? '', target));
    // Receipts of older versions do not record this.
    const isResolved = receipt.resolved?.length !== 0;
    const use = checkedOut.has(branch)
      ? 'it is checked out'
      : isHeld
        ? null
        : 'an integration is working on it';
    const work = isLanded
      ? null
      : (await claimedDigest(git, tip ?? '')) !== digest
        ? 'it holds commits that were made after the proof'
        : isResolved
          ? 'an integrator resolved conflicts in it, and it did not land'
          : null;
    // `receipt verify` and `undo` need the receipt of what landed.
    left.push({
      id,
      branch: integrationBranch(id),
      isLanded,
      keeps: use ?? work,
      isInUse: use !== null,
      refs: [branch, ...(isLanded ? [] : [ref])],
    });
  }
  return left;
}

/** Commits that only the removed branches reach are kept first; returns a sentence for each. */
export async function removeIntegrations(place: KeepPlace, left: readonly LeftBranch[]): Promise<string[]> {
  const saved: string[] = [];
  for (const { id, refs } of left) {
    saved.push(...(await keepRefs(place, id, refs)));
    await deleteRefs(place.git, refs);
  }
  return saved;
}
