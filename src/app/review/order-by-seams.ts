import { checkBranches } from '#check/check.ts';
import type { Repository } from '#git/call/repository.ts';
import { seamsFirst } from '#review/risk/seams-first.ts';
import { isJoineryError } from '#schema/errors.ts';

interface Reviewed {
  readonly repository: Repository;
  readonly baseRef: string;
  /** The commit under review. */
  readonly tip: string;
  readonly cacheDir: string;
  warn(line: string): void;
}

/** Moves files that other open branches also touch to the front of the reading order. */
export async function orderBySeams(order: readonly string[], reviewed: Reviewed): Promise<readonly string[]> {
  const { repository, baseRef, tip, cacheDir, warn } = reviewed;
  try {
    const { report } = await checkBranches({
      repository,
      base: baseRef,
      branches: [],
      cacheDir,
      confirm: { by: 'none', demanded: false, timeLimitMs: 0 },
      wantsRisk: true,
      today: new Date().toISOString().slice(0, 10),
    });
    const own = report.branches.find(({ commit, state }) => commit === tip && state === 'checked');
    return own && report.risk ? seamsFirst(order, report.risk, own.ref) : order;
  } catch (error) {
    // A review does not fail because other branches cannot be read.
    if (!isJoineryError(error)) throw error;
    warn(`files are not ordered by what other branches change: ${error.message}`);
    return order;
  }
}
