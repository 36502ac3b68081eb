import type { CheckReport } from '#schema/check-report.ts';
import { holdsBack, verdictOf } from '#schema/verdict.ts';

interface Judged {
  /** The pull request the job is about; null: all. */
  readonly subject: string | null;
  /** Pull requests that were closed without a merge during the check. */
  readonly closed: ReadonlySet<string>;
  /** What could not be read of the subject itself; the rest is for others to fix. */
  readonly inconclusive: CheckReport['inconclusive'];
}

/**
 * The part of a report that concerns one pull request. Of two that clash, only the owner of the finding fails: otherwise
 * each would wait for the other.
 */
export function judge(report: CheckReport, judged: Judged): CheckReport {
  const { subject, closed, inconclusive } = judged;
  const findings = report.findings.filter(
    ({ branches }) =>
      !branches.some((ref) => closed.has(ref)) && (subject === null || branches.includes(subject)),
  );
  const involved = new Set([
    ...(subject === null ? [] : [subject]),
    ...findings.flatMap(({ branches }) => branches),
  ]);
  const isShown = (ref: string) => !closed.has(ref) && (subject === null || involved.has(ref));
  // Of two that clash only the owner fails or waits; the other is told.
  const own = findings.filter(
    (finding) =>
      subject === null || !holdsBack(finding) || finding.owner === subject || finding.owner === null,
  );
  const ids = new Set(findings.map(({ id }) => id));
  return {
    ...report,
    status: verdictOf(own, inconclusive.length),
    branches: report.branches.filter(({ ref }) => isShown(ref)),
    landable: report.landable.filter(isShown),
    blocked: report.blocked.filter(
      ({ ref, by }) => isShown(ref) && (by.length === 0 || by.some((id) => ids.has(id))),
    ),
    findings,
    inconclusive,
  };
}
