import type { CheckReport, Finding } from '#schema/check-report.ts';

/**
 * What can land now and what has to wait for whom: the owner of a blocking finding waits; so does what could not be read
 * or merged, for nothing is known about it; everyone else may go.
 */
export function mergePlan(
  refs: readonly string[],
  findings: readonly Finding[],
  undecided: ReadonlySet<string>,
): Pick<CheckReport, 'landable' | 'blocked'> {
  const by = new Map<string, string[]>();
  for (const finding of findings) {
    if (finding.severity !== 'blocking' || finding.owner === null) continue;
    by.set(finding.owner, [...(by.get(finding.owner) ?? []), finding.id]);
  }
  return {
    landable: refs.filter((ref) => !by.has(ref) && !undecided.has(ref)),
    blocked: refs.filter((ref) => by.has(ref)).map((ref) => ({ ref, by: by.get(ref) ?? [] })),
  };
}
