import { renderFindingsSarif } from '#report/text/findings-sarif.ts';
import type { GapsReport, IntegrityReport, RiskReport, SecretsReport } from '#schema/proof.ts';

interface Version {
  readonly version: string;
}

/** Risk is advice: every file of medium or high risk is a note. */
export function renderRiskSarif(report: RiskReport, { version }: Version): string {
  return renderFindingsSarif({
    name: 'risk',
    fingerprints: 'joineryRisk/v1',
    version,
    rules: [{ id: 'risk', severity: 'info' }],
    findings: report.files
      .filter(({ level }) => level !== 'low')
      .map(({ path, score, level, signals }) => ({
        rule: 'risk',
        severity: level === 'high' ? ('minor' as const) : ('info' as const),
        fingerprint: `risk:${path}`,
        message: `${path} is of ${level} risk (${score}): ${signals.map(({ detail }) => detail).join('; ')}`,
        hint: 'Read it first',
        file: path,
      })),
    inconclusive: report.inconclusive,
    isConclusive: report.inconclusive.length === 0,
    properties: { base: report.base, branch: report.branch },
  });
}

const subjects = {
  'joinery/tests-gaps@1': { name: 'tests-gaps', fingerprints: 'joineryTestGap/v1', rule: 'test-gap' },
  'joinery/tests-integrity@1': {
    name: 'tests-integrity',
    fingerprints: 'joineryTestIntegrity/v1',
    rule: 'test-integrity',
  },
  'joinery/secrets@1': { name: 'secrets', fingerprints: 'joinerySecret/v1', rule: 'secret' },
} as const;

export function renderProofSarif(
  report: GapsReport | IntegrityReport | SecretsReport,
  { version }: Version,
): string {
  const { name, fingerprints, rule } = subjects[report.schema];
  return renderFindingsSarif({
    name,
    fingerprints,
    version,
    rules: [{ id: rule, severity: rule === 'test-gap' ? 'minor' : 'blocking' }],
    findings: report.findings,
    inconclusive: report.inconclusive,
    isConclusive: report.status !== 'inconclusive',
    properties: { status: report.status, base: report.base, branch: report.branch },
  });
}
