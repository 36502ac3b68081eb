import type { RawFinding, Triage } from '#schema/triage.ts';
import { breaks } from '#schema/verdict.ts';

/** From this number of findings on, the share of rejected ones is checked. */
const fewest = 3;
const mostRejected = 0.7;
const enoughReviewers = 2;

/** Why a person should look at the rejections. Findings that do not hold against the diff may be rejected freely. */
export function overRejection(raw: readonly RawFinding[], triage: Triage): string[] {
  const real = raw.filter(({ unverified }) => unverified === null);
  const reasons = new Map(triage.rejected.map(({ id, reason }) => [id, reason]));
  const rejected = real.filter(({ id }) => reasons.has(id));
  const guards: string[] = [];
  if (real.length >= fewest && rejected.length / real.length > mostRejected)
    guards.push(`${rejected.length} of ${real.length} findings are rejected`);
  for (const finding of rejected.filter(breaks)) {
    const reviewers = reviewersOf(finding, real);
    if (reviewers.size >= enoughReviewers)
      guards.push(`${finding.id} blocks for ${reviewers.size} reviewers and is rejected`);
  }
  const isAnyBlocking = real.some(breaks);
  const isAllRejected = triage.accepted.length + triage.deferred.length === 0;
  const silent = rejected.filter(({ id }) => reasons.get(id)?.trim() === '');
  if (isAnyBlocking && isAllRejected && silent.length > 0)
    guards.push(`everything is rejected, ${silent.map(({ id }) => id).join(', ')} without a reason`);
  return guards;
}

/** All reviewers who reported the problem, under this id or another. */
function reviewersOf({ fingerprint }: RawFinding, raw: readonly RawFinding[]): Set<string> {
  return new Set(
    raw.filter((each) => each.fingerprint === fingerprint).flatMap(({ reviewers }) => reviewers),
  );
}
