import { createHash } from 'node:crypto';
import type { GateResult, GatesReport, ProvenClaim } from '#schema/gates.ts';
import type { AttemptFinding, CheckResult } from '#schema/run.ts';

/** The worst status: failures first, then what could not be judged. */
export function overallStatus(gates: readonly GateResult[]): GatesReport['status'] {
  if (gates.some(({ status }) => status === 'fail')) return 'fail';
  return gates.some(({ status }) => status === 'inconclusive' || status === 'skipped')
    ? 'inconclusive'
    : 'pass';
}

export function asCheck({ gate, status, reason }: GateResult): CheckResult {
  return { name: `gate ${gate.id}`, status, decidedBy: 'code', required: true, detail: reason };
}

const most = 50;

/** The short form of a result for the run's log: a suite with a thousand new failures must not fill it. */
export function asClaim({ gate, tests, newFailures, flaky, log, ...result }: GateResult): ProvenClaim {
  const { status, reason, evidence, tree, exitCode, tools } = result;
  return {
    claim: gate.kind,
    gate: gate.id,
    command: gate.command,
    status,
    reason,
    evidence,
    tree,
    exitCode,
    log: log?.sha256 ?? null,
    tests: tests && { passed: tests.passed, failed: tests.failed, skipped: tests.skipped },
    newFailures: newFailures.slice(0, most),
    flaky: flaky.slice(0, most),
    tools,
  };
}

/** The finding for the agent: what failed, with the log, so that it need not run the gate again to see why. */
export function findingOf(result: GateResult): AttemptFinding | null {
  const { gate, status, reason, newFailures, log } = result;
  if (status !== 'fail' && status !== 'inconclusive') return null;
  const names = newFailures.slice(0, most).map((test) => `new failure: ${test}`);
  const text = (log?.excerpt ?? []).map((line) => `| ${line}`);
  return {
    fingerprint: `gate:${gate.id}:${symptom(result)}`,
    severity: 'blocking',
    message: [`gate ${gate.id} (${gate.command}): ${reason || status}`, ...names, ...text].join('\n  '),
  };
}

/** The failing tests, or else the output without its numbers: the same problem gives the same symptom at any time. */
function symptom({ status, newFailures, log }: GateResult): string {
  const lines =
    newFailures.length > 0 ? newFailures : (log?.excerpt ?? []).map((line) => line.replace(/\d+/g, '#'));
  return createHash('sha256')
    .update(JSON.stringify([status, lines]))
    .digest('hex')
    .slice(0, 16);
}
