import { visible } from '#lib/visible.ts';
import { printJson } from '#report/text/json.ts';
import { escapeLinks, levels, pathUri, schemaUri } from '#report/text/sarif-parts.ts';
import type { GroundFinding, GroundReport } from '#schema/grounding.ts';

/** SARIF 2.1.0: a rule per check, a result per finding. */
export function renderGroundSarif(report: GroundReport, { version }: { readonly version: string }): string {
  const names = report.checks.map(({ name }) => name);
  return printJson({
    $schema: schemaUri,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'joinery',
            semanticVersion: version,
            rules: report.checks.map(({ name, severity }) => ({
              id: name,
              shortDescription: { text: name.replaceAll('-', ' ') },
              defaultConfiguration: { level: severity === 'off' ? 'none' : levels[severity] },
            })),
          },
        },
        automationDetails: { id: 'joinery/ground/' },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: report.status !== 'inconclusive',
            toolExecutionNotifications: report.inconclusive.map(({ file, reason }) => ({
              level: 'error',
              message: { text: escapeLinks(reason) },
              ...(file === undefined ? {} : { locations: [{ physicalLocation: artifact(file) }] }),
            })),
          },
        ],
        results: report.checks
          .flatMap(({ findings }) => findings)
          .map((finding) => resultOf(finding, names.indexOf(finding.check))),
        properties: { status: report.status, base: report.base, branch: report.branch },
      },
    ],
  });
}

function resultOf(
  { check, severity, fingerprint, message, hint, file, line }: GroundFinding,
  ruleIndex: number,
) {
  return {
    ruleId: check,
    ruleIndex,
    level: levels[severity],
    message: { text: escapeLinks(`${message}. ${hint}.`) },
    locations:
      file === undefined
        ? []
        : [
            {
              physicalLocation: {
                ...artifact(file),
                ...(line === undefined ? {} : { region: { startLine: line } }),
              },
            },
          ],
    partialFingerprints: { 'joineryGround/v1': visible(fingerprint) },
    properties: { severity },
  };
}

function artifact(file: string) {
  return { artifactLocation: { uri: pathUri(file), uriBaseId: '%SRCROOT%' } };
}
