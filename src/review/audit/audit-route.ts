import type { RawFinding } from '#schema/triage.ts';
import { isObjection } from '#schema/triage.ts';

/** Which auditor looks at the whole change after reviewers objected. */
export type AuditRoute = 'architecture' | 'production';

/** Objections to the architecture go to the architecture auditor, others to the production auditor. Null: none. */
export function auditRouteFor(findings: readonly RawFinding[]): AuditRoute | null {
  const blocking = findings.filter(isObjection);
  if (blocking.length === 0) return null;
  return blocking.some(({ category }) => category.toLowerCase() === 'architecture')
    ? 'architecture'
    : 'production';
}
