import { join } from 'node:path';
import { integrationBranch } from '#crew/state/names.ts';
import type { Git } from '#git/call/git.ts';
import { readRef } from '#git/merges/branches.ts';
import { claimedDigest, readReceipt } from '#integrate/receipt/receipt.ts';
import { holdFile } from '#lib/hold-file.ts';

/** Locks the result of this id for writing or removing; null while another process holds it. */
export function holdResult(state: string, id: string): (() => void) | null {
  return holdFile(join(state, 'locks', id));
}

/** True if an integration may overwrite the branch of this id: it is free, or holds an earlier integration's result. */
export async function isFreeForResult(git: Git, id: string): Promise<boolean> {
  const tip = await readRef(git, `refs/heads/${integrationBranch(id)}`);
  if (tip === null) return true;
  const stored = await readReceipt(git, id).catch(() => null);
  return stored !== null && (await claimedDigest(git, tip)) === stored.digest;
}
