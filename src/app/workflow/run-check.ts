import { baseOverride, checkHere } from '#app/checks/check-here.ts';
import { recordHere } from '#app/proof/evidence-here.ts';
import { gatesHere } from '#app/proof/gates-here.ts';
import { groundHere } from '#app/proof/ground-here.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { CompiledStep } from '#schema/compiled-workflow.ts';
import { isJoineryError } from '#schema/errors.ts';
import { holdsBack } from '#schema/verdict.ts';
import type { WorkflowCheck } from '#schema/workflow.ts';
import { type CheckOutcome, outcomeOf } from '#schema/workflow-run.ts';

type Here = Pick<Surroundings, 'cwd' | 'env' | 'terminal'>;

/** Runs the check of a step on the checkout. A check that could not run has not passed. */
export async function runCheckHere(
  here: Here,
  { check }: CompiledStep,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  if (!check) throw new Error('the step has no check');
  const surroundings: Surroundings = { ...here, onInterrupt: onAbort(signal) };
  try {
    return { kind: check.kind, ...(await run(surroundings, check)) };
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    return {
      kind: check.kind,
      status: 'inconclusive',
      summary: `${error.message} (${error.hint})`,
      evidence: [],
    };
  }
}

function onAbort(signal: AbortSignal): Surroundings['onInterrupt'] {
  return (cleanup) => {
    const listener = () => void cleanup();
    signal.addEventListener('abort', listener, { once: true });
    return () => signal.removeEventListener('abort', listener);
  };
}

/** The worktree including uncommitted changes: an agent that was not asked to commit leaves its work uncommitted. */
const checkout = '.';

async function run(here: Surroundings, check: WorkflowCheck): Promise<Omit<CheckOutcome, 'kind'>> {
  switch (check.kind) {
    case 'gates': {
      const report = await gatesHere(here, {}, check.mode ?? 'fast');
      const bad = report.gates
        .filter(({ status }) => status !== 'pass')
        .map(({ gate, status }) => `${gate.id} ${status}`);
      const summary = bad.length === 0 ? `${report.gates.length} gates pass` : bad.join(', ');
      return {
        status: report.status,
        summary,
        evidence: report.gates.flatMap(({ evidence }) => evidence ?? []),
      };
    }
    case 'ground': {
      const report = await groundHere(here, {
        branch: checkout,
        files: check.files ?? null,
        plan: undefined,
        task: undefined,
        flags: [],
      });
      const findings = report.checks.flatMap((each) => each.findings);
      const summary =
        findings.length === 0 ? 'nothing was found' : findings.map(({ message }) => message).join('; ');
      return { status: report.status, summary, evidence: [] };
    }
    case 'check': {
      const { report } = await checkHere(here, {
        names: check.branches ?? [checkout],
        hasBase: true,
        against: undefined,
        flags: check.base === undefined ? [] : [baseOverride(check.base)],
      });
      const blocking = report.findings.filter(holdsBack);
      const summary =
        blocking.length === 0
          ? `${report.findings.length} findings, none blocks`
          : blocking.map(({ message }) => message).join('; ');
      return { status: outcomeOf(report.status), summary, evidence: [] };
    }
    case 'command': {
      const { status, detail, evidence } = await recordHere(
        here,
        {},
        {
          claim: check.claim ?? 'test',
          argv: check.argv as unknown as readonly [string, ...string[]],
          timeoutMs: check.timeoutSeconds === undefined ? null : check.timeoutSeconds * 1000,
        },
      );
      return { status, summary: detail, evidence: [evidence.id] };
    }
  }
}
