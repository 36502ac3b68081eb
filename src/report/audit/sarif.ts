import { printJson } from '#report/text/json.ts';
import { escapeLinks, levels, pathUri, schemaUri } from '#report/text/sarif-parts.ts';
import type { AuditFinding, AuditReport } from '#schema/audit.ts';

/** SARIF 2.1.0: a rule per flag, a result per finding. */
export function renderAuditSarif(report: AuditReport, { version }: { readonly version: string }): string {
  const flags = [...new Set(report.findings.map(({ flag }) => flag))].toSorted();
  const { score, status, possibleEdges, actualEdges, exitCode } = report;
  return printJson({
    $schema: schemaUri,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'joinery',
            semanticVersion: version,
            rules: flags.map((id) => ({
              id,
              shortDescription: { text: id.toLowerCase().replaceAll('_', ' ') },
            })),
          },
        },
        automationDetails: { id: 'joinery/audit/' },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: true, exitCode }],
        results: report.findings.map((finding) => resultOf(finding, flags.indexOf(finding.flag))),
        properties: { score, status, possibleEdges, actualEdges },
      },
    ],
  });
}

function resultOf(
  { flag, severity, file, line, message, hint, fingerprint, agent }: AuditFinding,
  ruleIndex: number,
) {
  return {
    ruleId: flag,
    ruleIndex,
    level: levels[severity],
    message: { text: escapeLinks(hint === '' ? `${message}.` : `${message}. ${hint}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: pathUri(file), uriBaseId: '%SRCROOT%' },
          region: { startLine: line },
        },
      },
    ],
    partialFingerprints: { 'joineryAudit/v1': fingerprint },
    properties: { severity, agent },
  };
}
