import type { CheckReport, Finding } from '#schema/check-report.ts';

/** Text conflicts do not block where an integrator resolves them. */
export function blockingIn({ findings }: CheckReport, isResolved: boolean): Finding[] {
  return findings.filter(({ severity, rule }) => severity === 'blocking' && !(isResolved && rule === 'T01'));
}

/** Why a check was inconclusive; null when it was not. */
export function unclearIn({ status, inconclusive }: CheckReport): string | null {
  return status === 'inconclusive' ? (inconclusive[0]?.reason ?? 'it is inconclusive') : null;
}

/** By branch, the messages of the findings that keep it from landing. */
export function blockedBranches({ blocked }: CheckReport, blocking: readonly Finding[]): Map<string, string> {
  const messages = new Map(blocking.map(({ id, message }) => [id, message]));
  return new Map(
    blocked.flatMap(({ ref, by }) => {
      const reasons = by.flatMap((id) => messages.get(id) ?? []);
      return reasons.length === 0 ? [] : [[ref, reasons.join('; ')] as const];
    }),
  );
}
