import { renderFindingsSarif } from '#report/text/findings-sarif.ts';
import type { GroundReport } from '#schema/grounding.ts';

/** SARIF 2.1.0: a rule per check, a result per finding. */
export function renderGroundSarif(report: GroundReport, { version }: { readonly version: string }): string {
  return renderFindingsSarif({
    name: 'ground',
    fingerprints: 'joineryGround/v1',
    version,
    rules: report.checks.map(({ name, severity }) => ({ id: name, severity })),
    findings: report.checks
      .flatMap(({ findings }) => findings)
      .map((each) => ({ ...each, rule: each.check })),
    inconclusive: report.inconclusive,
    isConclusive: report.status !== 'inconclusive',
    properties: { status: report.status, base: report.base, branch: report.branch },
  });
}
