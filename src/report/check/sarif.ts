import { visible } from '#lib/visible.ts';
import { printJson } from '#report/text/json.ts';
import { escapeLinks, levels, pathUri, schemaUri } from '#report/text/sarif-parts.ts';
import type { CheckReport, Delta, Finding, Site } from '#schema/check-report.ts';
import { rules } from '#schema/rules.ts';
import { gapIn } from '#schema/verdict.ts';
import { describeRule } from './explain.ts';
import { groupByCause, primarySite } from './groups.ts';
import { opinionLosses, opinionNote } from './opinion.ts';
import { coverageNote, listed, ruleTitle } from './wording.ts';

interface SarifOptions {
  /** Version of the tool that made the report. */
  readonly version: string;
}

const levelOfEffect = { stops: 'error', asks: 'warning', shown: 'note', hidden: 'note' } as const;
const ranks = { proven: 100, likely: 60, possible: 20 } as const;

/** SARIF 2.1.0: a result per finding at the place that has to change, the other places as related locations. */
export function renderSarif(report: CheckReport, { version }: SarifOptions): string {
  const present = groupByCause(report.findings).flat();
  const fixed = groupByCause(report.delta?.fixed ?? []).flat();
  const findings = [...present, ...fixed];
  const ruleIds = [...new Set(findings.map(({ rule }) => rule))].sort();
  return printJson({
    $schema: schemaUri,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'joinery', semanticVersion: version, rules: ruleIds.map(describe) },
        },
        automationDetails: { id: 'joinery/check/' },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: gapIn(report) === null,
            toolExecutionNotifications: notifications(report),
          },
        ],
        results: findings.map((finding) => ({
          ...result(finding, ruleIds.indexOf(finding.rule)),
          ...comparedWith(report.delta, finding.id),
        })),
        properties: {
          status: report.status,
          base: report.base,
          landable: report.landable,
          ...(report.opinion ? { opinion: report.opinion } : {}),
          ...(report.delta ? { regressed: report.delta.regressed } : {}),
        },
      },
    ],
  });
}

/** SARIF has no state for `regressed`: such a result is new, with a property. */
function comparedWith(delta: Delta | undefined, id: string) {
  if (!delta) return {};
  if (delta.remaining.includes(id)) return { baselineState: 'unchanged' };
  return { baselineState: delta.fixed.some((finding) => finding.id === id) ? 'absent' : 'new' };
}

function describe(id: string) {
  const rule = rules.find((each) => each.id === id);
  return {
    id: visible(id),
    ...(rule ? { name: rule.name } : {}),
    shortDescription: { text: rule ? rule.name.replaceAll('-', ' ') : visible(ruleTitle(id)) },
    ...(rule ? { fullDescription: { text: rule.what } } : {}),
    ...(rule ? { help: { text: describeRule(rule) } } : {}),
    defaultConfiguration: { level: levels[rule?.severity ?? 'important'] },
    properties: {
      ...(rule ? { tags: [rule.category] } : {}),
      ...(rule ? { precision: codeScanningPrecision(rule.precision) } : {}),
    },
  };
}

/** The four levels that code scanning knows. */
function codeScanningPrecision(precision: number): string {
  if (precision >= 0.95) return 'very-high';
  if (precision >= 0.85) return 'high';
  return precision >= 0.7 ? 'medium' : 'low';
}

function result(finding: Finding, ruleIndex: number) {
  const primary = primarySite(finding);
  const others = finding.sites.filter((site) => site !== primary);
  return {
    ruleId: visible(finding.rule),
    ruleIndex,
    level: levelOfEffect[finding.effect],
    rank: ranks[finding.confidence],
    message: { text: messageOf(finding) },
    locations: primary ? [location(primary)] : [],
    relatedLocations: others.map((site, index) => ({
      id: index + 1,
      ...location(site),
      message: { text: escapeLinks(`${site.role} on ${site.branch}`) },
    })),
    partialFingerprints: {
      'joineryFinding/v1': visible(finding.id),
      'joineryRootCause/v1': visible(finding.rootCause),
    },
    properties: {
      category: finding.category,
      severity: finding.severity,
      confidence: finding.confidence,
      judge: finding.judge,
      effect: finding.effect,
      ...(finding.accepted === undefined ? {} : { accepted: finding.accepted }),
      decidedBy: finding.decidedBy,
      branches: finding.branches,
      owner: finding.owner,
      ownerReason: finding.ownerReason,
      suggestion: finding.suggestion,
      witness: finding.witness,
      ...(finding.fix ? { fix: finding.fix } : {}),
    },
  };
}

function messageOf({ message, owner, suggestion, branches }: Finding): string {
  const move = suggestion === '' ? '' : ` ${owner ?? listed(branches)}: ${suggestion}.`;
  return escapeLinks(`${message}.${move}`);
}

function location({ file, line, column, endLine, symbol }: Site) {
  return {
    physicalLocation: {
      artifactLocation: { uri: pathUri(file), uriBaseId: '%SRCROOT%' },
      region: { startLine: line, startColumn: column, ...(endLine > line ? { endLine } : {}) },
    },
    logicalLocations: [{ fullyQualifiedName: visible(symbol) }],
  };
}

function notifications(report: CheckReport) {
  const { inconclusive, degraded, delta } = report;
  return [
    ...inconclusive.map(({ file, check, reason }) => ({
      level: 'error',
      message: { text: escapeLinks(`${check ?? file ?? 'check'}: ${reason}`) },
      ...(file === undefined
        ? {}
        : {
            locations: [
              { physicalLocation: { artifactLocation: { uri: pathUri(file), uriBaseId: '%SRCROOT%' } } },
            ],
          }),
    })),
    ...degraded.map(({ check, reason }) => ({
      level: 'warning',
      message: { text: escapeLinks(`${check}: ${reason}`) },
    })),
    ...[...coverageNote(report), ...opinionLosses(report)].map((note) => ({
      level: 'note',
      message: { text: escapeLinks(note) },
    })),
    ...opinionNote(report).map((note) => ({
      level: report.opinion?.status === 'inconclusive' ? 'warning' : 'note',
      message: { text: escapeLinks(note) },
    })),
    ...(delta?.unverified ?? []).map(({ id, rule, message }) => ({
      level: 'note',
      message: { text: escapeLinks(`not checked this time: ${rule} ${message} (${id})`) },
    })),
  ];
}
