import { visible } from '#lib/visible.ts';
import { type Case, type Property, renderSuites, type Suite } from '#report/text/junit-xml.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import { type Changes, changesOf } from './changes.ts';
import { groupByCause, isForPeople, primarySite } from './groups.ts';
import { opinionNote } from './opinion.ts';
import { certaintyOf, coverageNote, ruleTitle } from './wording.ts';

/** JUnit XML: a suite per branch with a case per finding it is guilty of, or one passing case. */
export function renderJunit(report: CheckReport): string {
  const findings = groupByCause(report.findings.filter(isForPeople)).flat();
  const changes = changesOf(report);
  const refs = new Set(report.branches.map(({ ref }) => ref));
  const suites = [
    ...report.branches.map((branch) => ({
      ...branchSuite(branch, report, findings),
      properties: changes ? propertiesOf(changes, ({ branches }) => branches.includes(branch.ref)) : [],
    })),
    {
      ...generalSuite(report, findings),
      properties: [
        ...coverageNote(report).map((value) => ({ name: 'joinery.coverage', value })),
        ...opinionNote(report).map((value) => ({ name: 'joinery.opinion', value })),
        ...(changes ? propertiesOf(changes, ({ branches }) => !branches.some((ref) => refs.has(ref))) : []),
      ],
    },
  ].filter(({ cases, properties }) => cases.length > 0 || properties.length > 0);
  return renderSuites(`joinery check ${report.base.ref}`, suites);
}

/** The delta of a branch: ids by status. */
function propertiesOf(changes: Changes, isOwn: (finding: Finding) => boolean): Property[] {
  return Object.entries(changes).flatMap(([kind, findings]) => {
    const ids = findings.filter(isOwn).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ name: `joinery.delta.${kind}`, value: ids.join(' ') }];
  });
}

function branchSuite(
  { ref, state }: CheckReport['branches'][number],
  report: CheckReport,
  findings: readonly Finding[],
): Suite {
  const cases = findings
    .filter(({ branches }) => branches.includes(ref))
    .map((finding) => findingCase(finding, isHeldUp(ref, report)));
  if (cases.length > 0) return { name: ref, cases };
  const isIdle = state !== 'checked' && state !== 'conflicted';
  const isBlocked = report.blocked.some((entry) => entry.ref === ref);
  const only = { name: `${ref} fits ${report.base.ref}`, text: '' };
  if (isIdle) return { name: ref, cases: [{ ...only, outcome: 'skipped', summary: state }] };
  return isBlocked
    ? { name: ref, cases: [{ ...only, outcome: 'failure', summary: 'blocked' }] }
    : { name: ref, cases: [{ ...only, outcome: 'passed', summary: '' }] };
}

/** What belongs to no branch of the report: checks that did not run, and findings of unlisted branches. */
function generalSuite(report: CheckReport, findings: readonly Finding[]): Suite {
  const refs = new Set(report.branches.map(({ ref }) => ref));
  const homeless = findings.filter(({ branches }) => !branches.some((ref) => refs.has(ref)));
  return {
    name: report.base.ref,
    cases: [
      ...homeless.map((finding) => findingCase(finding, true)),
      ...report.inconclusive.map(({ file, check, reason }) => ({
        name: `inconclusive ${file ?? check ?? ''}`,
        file,
        outcome: 'error' as const,
        summary: reason,
        text: visible(reason),
      })),
      ...report.degraded.map(({ check, reason }) => ({
        name: `degraded ${check}`,
        outcome: 'skipped' as const,
        summary: reason,
        text: '',
      })),
    ],
  };
}

/** A branch that can land despite a finding does not fail because of it: the other branch has to move. */
function isHeldUp(ref: string, { landable }: CheckReport): boolean {
  return !landable.includes(ref);
}

const outcomes = { stops: 'failure', asks: 'error', shown: 'passed', hidden: 'passed' } as const;

function findingCase(finding: Finding, isHeld: boolean): Case {
  const { id, rule, severity, effect, message, branches, owner, ownerReason, suggestion, sites } = finding;
  const site = primarySite(finding);
  const lines = [
    message,
    `Severity: ${severity}, ${certaintyOf(finding)}`,
    `Branches: ${branches.join(', ')}`,
    `Owner: ${owner ?? 'undecided'}${ownerReason === '' ? '' : `: ${ownerReason}`}`,
    `Move: ${suggestion}`,
    ...sites.map(({ branch, file, line, role }) => `${role} on ${branch}: ${file}:${line}`),
  ];
  return {
    name: `${ruleTitle(rule)} ${id}`,
    file: site?.file,
    line: site?.line,
    outcome: isHeld ? outcomes[effect] : 'passed',
    summary: message,
    text: lines.map(visible).join('\n'),
  };
}
