import { correctTriage } from '#review/triage/correct-triage.ts';
import type { RawFinding, Sorted, Triage, Verification } from '#schema/triage.ts';

/** The triage after tests have spoken: what was not reproduced is deferred, never rejected, and the approval follows. */
export function withProof(
  raw: readonly RawFinding[],
  triage: Triage,
  results: ReadonlyMap<string, Verification>,
): Triage {
  const proven = triage.accepted.map((entry): Sorted => {
    const verification = results.get(entry.id);
    return verification ? { ...entry, verification } : entry;
  });
  const isGone = ({ verification }: Sorted) => verification?.result === 'not_reproduced';
  const next = {
    ...triage,
    accepted: proven.filter((entry) => !isGone(entry)),
    deferred: [
      ...triage.deferred,
      ...proven.filter(isGone).map((entry) => ({
        ...entry,
        reason: `not reproduced by ${entry.verification?.test ?? 'a test'}: ${entry.verification?.note ?? ''}`,
      })),
    ],
  };
  return correctTriage(next, raw).triage as Triage;
}
