import { createHash } from 'node:crypto';
import type { ReviewReport } from '#schema/review.ts';
import type { AttemptFinding, CheckResult } from '#schema/run.ts';
import type { RawFinding } from '#schema/triage.ts';
import { breaks } from '#schema/verdict.ts';

/** The state of a task's rework loop. */
interface ReworkState {
  /** No attempt follows this one. */
  readonly isLast: boolean;
  /** Fingerprints of the findings that earlier attempts received. */
  readonly told: ReadonlySet<string>;
}

export interface ReviewJudgement {
  readonly check: CheckResult;
  readonly findings: readonly AttemptFinding[];
  readonly isUndecided: boolean;
}

/**
 * What the developer learns: accepted findings, and nothing that was deferred, rejected or did not hold. An important one
 * is worth one more attempt; only a blocking one stops the work.
 */
export function judgeReview(report: ReviewReport, rework: ReworkState): ReviewJudgement {
  const { verdict, reason, consensus, triage, findings, criteria, redTests, stoppedAt } = report;
  const accepted = new Set(triage?.accepted.map(({ id }) => id));
  const tests = new Map(redTests.map(({ finding, file }) => [finding, file]));
  const own = findings
    .filter(({ id }) => accepted.has(id))
    .map((finding) => told(finding, tests.get(finding.id) ?? null, rework));
  const isUndecided = verdict === 'uncertain';
  return {
    check: {
      name: 'review',
      status: verdict === 'approve' ? 'pass' : isUndecided ? 'inconclusive' : 'fail',
      decidedBy: 'agent',
      required: true,
      detail: `${consensus.verdict}: ${reason}`,
    },
    findings: [
      ...(isUndecided ? [blocking(`review:${stoppedAt}:${consensus.verdict}`, `review: ${reason}`)] : []),
      ...own,
      ...criteria.filter(({ status }) => status === 'missing').map(({ text }) => notDone(text)),
    ],
    isUndecided,
  };
}

function told(finding: RawFinding, test: string | null, rework: ReworkState): AttemptFinding {
  const { file, line, issue, suggestion, severity, unverified } = finding;
  const fingerprint = `review:${finding.fingerprint}`;
  const message = [
    `${file}${line === undefined ? '' : `:${line}`} ${issue}`,
    ...(suggestion === '' ? [] : [suggestion]),
    ...(test === null ? [] : [`${test} fails because of it: make it pass and leave the test as it is.`]),
  ].join(' ');
  // A finding that does not hold against the diff never blocks.
  if (unverified !== null)
    return { fingerprint, severity: breaks({ severity }) ? 'important' : severity, message };
  const isWorthATry = severity === 'important' && !rework.isLast && !rework.told.has(fingerprint);
  return { fingerprint, severity: isWorthATry ? 'blocking' : severity, message };
}

function notDone(text: string): AttemptFinding {
  const key = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return blocking(`review:criterion:${key}`, `Reviewers say that this is not done: ${text}`);
}

function blocking(fingerprint: string, message: string): AttemptFinding {
  return { fingerprint, severity: 'blocking', message };
}
