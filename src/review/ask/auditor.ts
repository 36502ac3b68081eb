import { type AuditRoute, auditRouteFor } from '#review/audit/audit-route.ts';
import { auditorPrompt } from '#review/prompt/review-prompts.ts';
import type { Cost, ReviewEffects, ReviewInput } from '#review/review.ts';
import type { ReviewerAnswer, ReviewReport } from '#schema/review.ts';
import type { RawFinding } from '#schema/triage.ts';
import { breaks } from '#schema/verdict.ts';
import { readAnswer } from './reviewers.ts';

export interface Audited {
  readonly route: AuditRoute;
  readonly answer: ReviewerAnswer | null;
  readonly reason: string;
}

export function auditorOf(route: AuditRoute): string {
  return `${route}-audit`;
}

export function auditReport(audit: Audited | null): ReviewReport['audit'] {
  if (!audit) return null;
  const { route, answer, reason } = audit;
  return { route, status: answer ? 'answered' : 'absent', reason, findings: answer?.findings.length ?? 0 };
}

/** If reviewers object, an auditor looks at the whole change. Its findings are verified and triaged like all others. */
export async function auditAfter(
  { subject, roles }: ReviewInput,
  effects: ReviewEffects,
  findings: readonly RawFinding[],
  cost: Cost,
): Promise<Audited | null> {
  const route = auditRouteFor(findings);
  if (effects.askAuditor === null || route === null) return null;
  const objections = findings.filter(breaks);
  const reply = await effects.askAuditor(route, auditorPrompt(subject, roles.auditors[route], objections));
  cost.push({ ...reply.consultation, reviewer: auditorOf(route) });
  const { answer, reason } = readAnswer(reply);
  if (!answer) effects.log(`the ${route} audit has no answer: ${reason}`);
  return { route, answer, reason };
}
