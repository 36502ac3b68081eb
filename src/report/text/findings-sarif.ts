import { visible } from '#lib/visible.ts';
import type { Severity } from '#schema/vocabulary.ts';
import { printJson } from './json.ts';
import { escapeLinks, levels, pathUri, schemaUri } from './sarif-parts.ts';

interface SarifFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly fingerprint: string;
  readonly message: string;
  readonly hint: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

interface SarifSubject {
  /** Distinguishes the runs of different commands: `ground`. */
  readonly name: string;
  /** Name of the fingerprints, which must never change: `joineryGround/v1`. */
  readonly fingerprints: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string; readonly severity: Severity | 'off' }[];
  readonly findings: readonly SarifFinding[];
  readonly inconclusive: readonly { readonly file?: string | undefined; readonly reason: string }[];
  readonly isConclusive: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** SARIF 2.1.0: a result per finding, a notification per file that could not be read. */
export function renderFindingsSarif(subject: SarifSubject): string {
  const ids = subject.rules.map(({ id }) => id);
  return printJson({
    $schema: schemaUri,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'joinery',
            semanticVersion: subject.version,
            rules: subject.rules.map(({ id, severity }) => ({
              id,
              shortDescription: { text: id.replaceAll('-', ' ') },
              defaultConfiguration: { level: severity === 'off' ? 'none' : levels[severity] },
            })),
          },
        },
        automationDetails: { id: `joinery/${subject.name}/` },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: subject.isConclusive,
            toolExecutionNotifications: subject.inconclusive.map(({ file, reason }) => ({
              level: 'error',
              message: { text: escapeLinks(reason) },
              ...(file === undefined ? {} : { locations: [{ physicalLocation: artifact(file) }] }),
            })),
          },
        ],
        results: subject.findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: ids.indexOf(finding.rule),
          level: levels[finding.severity],
          message: { text: escapeLinks(`${finding.message}. ${finding.hint}.`) },
          locations: locationsOf(finding),
          partialFingerprints: { [subject.fingerprints]: visible(finding.fingerprint) },
          properties: { severity: finding.severity },
        })),
        properties: subject.properties,
      },
    ],
  });
}

function locationsOf({ file, line }: SarifFinding) {
  if (file === undefined) return [];
  const region = line === undefined ? {} : { region: { startLine: line } };
  return [{ physicalLocation: { ...artifact(file), ...region } }];
}

function artifact(file: string) {
  return { artifactLocation: { uri: pathUri(file), uriBaseId: '%SRCROOT%' } };
}
