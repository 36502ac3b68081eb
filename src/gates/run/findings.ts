import { createHash } from 'node:crypto';
import type { GateResult, GatesReport, ProvenClaim } from '#schema/gates.ts';
import type { AttemptFinding, CheckResult } from '#schema/run.ts';

/** Worst first: what failed decides, then what could not be judged. */
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

/** What the run remembers of a result; a suite with a thousand new failures must not fill its log. */
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

/** What goes back to the agent: what failed, and the log, so that it need not run it again to see why. */
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

/** The failing tests, or else the output without its numbers: the same complaint has the same symptom, whatever the time. */
function symptom({ status, newFailures, log }: GateResult): string {
  const lines =
    newFailures.length > 0 ? newFailures : (log?.excerpt ?? []).map((line) => line.replace(/\d+/g, '#'));
  return createHash('sha256')
    .update(JSON.stringify([status, lines]))
    .digest('hex')
    .slice(0, 16);
}
