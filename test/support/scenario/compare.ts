import type { CheckReport, Finding } from '#schema/check-report.ts';
import { type Expectation, type ExpectedFinding, printYaml } from './header.ts';

/**
 * Compares a report with the expectation of a scenario: `-` before what is missing, `+` before what is unexpected; empty if
 * they agree. `plain` turns a ref of the report into the scenario's name for it.
 */
export function compareReport(
  report: CheckReport,
  expected: Expectation,
  plain: (ref: string) => string,
): string {
  const { missing, unexpected } = matchFindings(report.findings, expected.findings, plain);
  const landable = expected.landable && report.landable.map(plain);
  return [
    ...changed('status', expected.status, report.status),
    ...changed('landable', expected.landable, landable),
    ...missing.map((finding) => mark('-', [finding])),
    ...unexpected.map((finding) => mark('+', [asExpected(finding, plain)])),
    ...(expected.status === 'undecided'
      ? []
      : report.inconclusive.map((reason) => mark('+', { inconclusive: reason }))),
  ].join('');
}

/** The expectation that would match this report; existing entries for a finding stay unchanged. */
export function updatedExpectation(
  report: CheckReport,
  expected: Expectation,
  plain: (ref: string) => string,
): Expectation {
  const { missing, unexpected } = matchFindings(report.findings, expected.findings, plain);
  return {
    status: report.status,
    findings: [
      ...expected.findings.filter((finding) => !missing.includes(finding)),
      ...unexpected.map((finding) => asExpected(finding, plain)),
    ],
    ...(expected.landable ? { landable: report.landable.map(plain) } : {}),
  };
}

function changed(key: string, expected: unknown, found: unknown): string[] {
  if (JSON.stringify(expected) === JSON.stringify(found)) return [];
  return [mark('-', { [key]: expected }), mark('+', { [key]: found })];
}

function mark(sign: '-' | '+', value: object): string {
  return printYaml(value).replace(/^(?=.)/gm, `${sign} `);
}

/** Reports sort by severity; scenarios list findings in any order. */
function matchFindings(
  findings: readonly Finding[],
  expected: readonly ExpectedFinding[],
  plain: (ref: string) => string,
): { missing: ExpectedFinding[]; unexpected: Finding[] } {
  const unexpected = [...findings];
  const missing = expected.filter((wanted) => {
    const at = unexpected.findIndex((finding) => isExpected(finding, wanted, plain));
    if (at >= 0) unexpected.splice(at, 1);
    return at < 0;
  });
  return { missing, unexpected };
}

function isExpected(finding: Finding, wanted: ExpectedFinding, plain: (ref: string) => string): boolean {
  const { rule, severity, confidence } = finding;
  const { providers, files } = placesOf(finding);
  return (
    rule === wanted.rule &&
    severity === wanted.severity &&
    confidence === wanted.confidence &&
    JSON.stringify(finding.branches.map(plain)) === JSON.stringify(wanted.branches) &&
    (wanted.owner === undefined || wanted.owner === plain(finding.owner ?? '')) &&
    (wanted.provider === undefined || providers.includes(wanted.provider)) &&
    (wanted.consumerFile === undefined || files.includes(wanted.consumerFile))
  );
}

function placesOf({ sites }: Finding): { providers: string[]; files: string[] } {
  const providers = sites.filter(({ role }) => role === 'provider');
  const consumers = sites.filter(({ role }) => role === 'consumer');
  return {
    providers: (providers.length > 0 ? providers : consumers).map(({ symbol }) => symbol),
    files: consumers.map(({ file }) => file),
  };
}

/** A finding as an expectation, with all its keys. */
function asExpected(finding: Finding, plain: (ref: string) => string): ExpectedFinding {
  const { rule, severity, confidence, branches, owner } = finding;
  const { providers, files } = placesOf(finding);
  const [provider] = providers;
  const [consumerFile] = files;
  return {
    rule,
    severity,
    confidence,
    branches: branches.map(plain),
    ...(owner ? { owner: plain(owner) } : {}),
    ...(provider === undefined ? {} : { provider }),
    ...(consumerFile === undefined ? {} : { consumerFile }),
  };
}
