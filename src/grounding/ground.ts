import { redactSecrets } from '#lib/redact.ts';
import type { GroundCheck, GroundFinding } from '#schema/grounding.ts';
import { breaks } from '#schema/verdict.ts';
import { type Severity, severities } from '#schema/vocabulary.ts';
import type { Change } from './change/change.ts';
import { acceptance } from './checks/acceptance.ts';
import type { GroundingCheck, Trouble } from './checks/check.ts';
import { contractStubs } from './checks/contract-stubs.ts';
import { declaredFiles } from './checks/declared-files.ts';
import { declaredScope } from './checks/declared-scope.ts';
import { gateEvidence } from './checks/gate-evidence.ts';
import { gateTampering } from './checks/gate-tampering.ts';
import { importedTasks, importsResolve } from './checks/imports-resolve.ts';
import { linksInside } from './checks/links-inside.ts';
import { nonEmptyDiff } from './checks/non-empty-diff.ts';
import { notBlocked } from './checks/not-blocked.ts';
import { secrets } from './checks/secrets.ts';
import { steeringFiles } from './checks/steering-files.ts';
import { testsForSources } from './checks/tests-for-sources.ts';

const table: readonly GroundingCheck[] = [
  notBlocked,
  nonEmptyDiff,
  declaredFiles,
  declaredScope,
  contractStubs,
  linksInside,
  steeringFiles,
  gateTampering,
  importsResolve,
  testsForSources,
  acceptance,
  secrets,
  gateEvidence,
];

export interface Grounding {
  readonly status: 'pass' | 'fail' | 'inconclusive';
  readonly checks: readonly GroundCheck[];
  readonly inconclusive: readonly { readonly file?: string; readonly reason: string }[];
  /** Tasks of the plan that this work imports from and whose files do not exist yet. */
  readonly awaits: readonly string[];
}

/** Checks that the work is real: in scope, tested, nothing faked. Pure: the same change always gets the same verdict. */
export function ground(change: Change): Grounding {
  const inconclusive = new Map<string, { file?: string; reason: string }>();
  const checks = table.map((check): GroundCheck => {
    const severity = change.policy.checks[check.name] ?? check.severity;
    if (severity === 'off')
      return { name: check.name, status: 'skipped', severity, detail: 'switched off', findings: [] };
    const outcome = check.check(change);
    if (outcome.is === 'skipped')
      return { name: check.name, status: 'skipped', severity, detail: outcome.why, findings: [] };
    const findings = outcome.troubles.map((trouble) => findingOf(check, severity, trouble));
    const unknown = outcome.unknown ?? [];
    for (const each of unknown) inconclusive.set(`${each.file ?? ''} ${each.reason}`, each);
    return {
      name: check.name,
      status: statusOf(findings, unknown.length),
      severity,
      detail: detailOf(outcome.detail ?? '', findings),
      findings,
    };
  });
  return {
    status: overall(checks),
    checks,
    inconclusive: [...inconclusive.values()],
    awaits: importedTasks(change),
  };
}

function findingOf(check: GroundingCheck, severity: Severity, trouble: Trouble): GroundFinding {
  const lesser =
    severities[Math.max(severities.indexOf(severity), severities.indexOf('important'))] ?? severity;
  return {
    check: check.name,
    severity: trouble.isLesser ? lesser : severity,
    fingerprint: redactSecrets(`${check.name}:${trouble.key}`),
    message: redactSecrets(trouble.message),
    hint: trouble.hint,
    ...(trouble.file === undefined ? {} : { file: trouble.file }),
    ...(trouble.line === undefined ? {} : { line: trouble.line }),
    ...(trouble.owner === undefined ? {} : { owner: trouble.owner }),
  };
}

function statusOf(findings: readonly GroundFinding[], unknown: number): GroundCheck['status'] {
  if (findings.some(breaks)) return 'fail';
  if (unknown > 0) return 'inconclusive';
  return findings.length > 0 ? 'warn' : 'pass';
}

function detailOf(detail: string, findings: readonly GroundFinding[]): string {
  return findings.length === 0 ? detail : findings.map(({ message }) => message).join('; ');
}

function overall(checks: readonly GroundCheck[]): Grounding['status'] {
  if (checks.some(({ status }) => status === 'fail')) return 'fail';
  const isUnknown = checks.some(({ status, severity }) => status === 'inconclusive' && breaks({ severity }));
  return isUnknown ? 'inconclusive' : 'pass';
}
