import type { RawFinding } from '#schema/triage.ts';

/** Who looks at the whole after reviewers objected. */
export type AuditRoute = 'architecture' | 'production';

/** Objections to the architecture are for one who judges that; any other for one who asks whether it can run. Null: none. */
export function auditRouteFor(findings: readonly RawFinding[]): AuditRoute | null {
  const blocking = findings.filter(
    ({ severity, unverified }) => severity === 'blocking' && unverified === null,
  );
  if (blocking.length === 0) return null;
  return blocking.some(({ category }) => category.toLowerCase() === 'architecture')
    ? 'architecture'
    : 'production';
}
