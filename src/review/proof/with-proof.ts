import { correctTriage } from '#review/triage/correct-triage.ts';
import type { RawFinding, Sorted, Triage, Verification } from '#schema/triage.ts';
import { isObjection } from '#schema/triage.ts';

/**
 * The triage after the tests ran: what was not reproduced is deferred, never rejected; what a test confirms is accepted,
 * even if it was deferred; the approval is recomputed.
 */
export function withProof(
  raw: readonly RawFinding[],
  triage: Triage,
  results: ReadonlyMap<string, Verification>,
): Triage {
  const proven = (entries: readonly Sorted[]) =>
    entries.map((entry): Sorted => {
      const verification = results.get(entry.id);
      return verification ? { ...entry, verification } : entry;
    });
  const accepted = proven(triage.accepted);
  const deferred = proven(triage.deferred);
  const next = {
    ...triage,
    accepted: [
      ...accepted.filter((entry) => !isGone(entry)),
      ...deferred.filter(isShown).map((entry) => ({
        ...entry,
        reason: `confirmed by ${testOf(entry)}; the triage wanted to put it off: ${entry.reason}`,
      })),
    ],
    deferred: [
      ...deferred.filter((entry) => !isShown(entry)),
      ...accepted.filter(isGone).map((entry) => ({
        ...entry,
        reason: `not reproduced by ${testOf(entry)}: ${entry.verification?.note ?? ''}`,
      })),
    ],
  };
  return correctTriage(next, raw).triage as Triage;
}

/** Deferred findings that would block, hold against the diff, and that no test has disproved. */
export function openFindings(raw: readonly RawFinding[], { deferred }: Triage): RawFinding[] {
  const open = new Set(deferred.filter((entry) => !isGone(entry)).map(({ id }) => id));
  return raw.filter((finding) => open.has(finding.id) && isObjection(finding));
}

function isGone({ verification }: Sorted): boolean {
  return verification?.result === 'not_reproduced';
}

function isShown({ verification }: Sorted): boolean {
  return verification?.result === 'confirmed';
}

function testOf({ verification }: Sorted): string {
  return verification?.test ?? 'a test';
}
