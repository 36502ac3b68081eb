import type { CheckReport, Finding } from '#schema/check-report.ts';
import type { KnownFinding } from '#schema/integration.ts';
import { holdsBack } from '#schema/verdict.ts';

/** What keeps branches from landing. Text conflicts do not where an integrator resolves them. */
export function holdingIn({ findings }: CheckReport, isResolved: boolean): Finding[] {
  return findings.filter((finding) => holdsBack(finding) && !(isResolved && finding.rule === 'T01'));
}

/** Without those that are asked: the tests of the result judge them. */
export function stoppingIn(report: CheckReport, isResolved: boolean): Finding[] {
  return holdingIn(report, isResolved).filter(({ effect }) => effect === 'stops');
}

/** By branch, the messages of the findings that keep it from landing. */
export function blockedBranches({ blocked }: CheckReport, holding: readonly Finding[]): Map<string, string> {
  const messages = new Map(holding.map(({ id, message }) => [id, message]));
  return new Map(
    blocked.flatMap(({ ref, by }) => {
      const reasons = by.flatMap((id) => messages.get(id) ?? []);
      return reasons.length === 0 ? [] : [[ref, reasons.join('; ')] as const];
    }),
  );
}

/** Everything that a check tells, as reports and receipts keep it. */
export function knownFindings({ findings }: CheckReport): KnownFinding[] {
  return findings
    .filter(({ effect }) => effect !== 'hidden')
    .map(
      ({
        id,
        rule,
        severity,
        confidence,
        judge,
        effect,
        accepted,
        message,
        branches,
        owner,
        sites,
        witness,
      }) => ({
        id,
        rule,
        severity,
        confidence,
        judge,
        effect,
        ...(accepted === undefined ? {} : { accepted }),
        message,
        branches,
        commits: branches.map((ref) => witness.members.find((member) => member.ref === ref)?.commit ?? ''),
        places: sites
          .toSorted((a, b) => Number(b.branch === owner) - Number(a.branch === owner))
          .map(({ file, line }) => `${file}:${line}`),
      }),
    );
}
