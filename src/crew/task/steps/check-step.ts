import { startOf } from '#crew/state/state.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import { readWork } from '#crew/task/place/read-work.ts';
import type { AttemptPlan, TaskFlow } from '#crew/task/task.ts';
import { selectGates } from '#gates/definitions/select.ts';
import { overallStatus } from '#gates/run/findings.ts';
import { changedFiles, readRef, writeCommit } from '#git/merges/branches.ts';
import { isRefPattern, matchingBranches } from '#git/refs/refs.ts';
import { shellWord } from '#lib/shell-word.ts';
import type { CompiledStep } from '#schema/compiled-workflow.ts';
import type { Gate, GateResult } from '#schema/gates.ts';
import { holdsBack } from '#schema/verdict.ts';
import type { WorkflowCheck } from '#schema/workflow.ts';
import { type CheckOutcome, outcomeOf } from '#schema/workflow-run.ts';
import { filesOf, gatesOn } from './gate-attempt.ts';
import { groundSoFar } from './ground-attempt.ts';
import { type NamedCommit, runCheck } from './run-check.ts';

const commandMs = 600_000;

/**
 * Checks a step on what the agent has written so far. The folder is read as data and the check runs on a commit of it, like
 * the gates of a finished attempt: nothing else in the agent's folder has an effect.
 */
export async function checkStep(
  flow: TaskFlow,
  plan: AttemptPlan,
  { id, check }: CompiledStep,
): Promise<CheckOutcome> {
  if (!check) throw new Error(`step ${id} has no check`);
  const reading = await readWork(flow, plan, plan.path);
  if (reading.status === 'unreadable')
    return { kind: check.kind, status: 'inconclusive', summary: reading.reason, evidence: [] };
  const commit = await writeCommit(flow.premises.objects.git, {
    tree: reading.tree,
    parents: [plan.from],
    message: `Task ${flow.id} at step ${id}\n\nJoinery-Run: ${flow.context.run}`,
    at: startOf(flow.state, flow.id),
  });
  await flow.premises.objects.publish(commit, [plan.from]);
  return { kind: check.kind, ...(await judge(flow, plan, commit, id, check)) };
}

async function judge(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  step: string,
  check: WorkflowCheck,
): Promise<Omit<CheckOutcome, 'kind'>> {
  const { objects } = flow.premises;
  switch (check.kind) {
    case 'gates': {
      const { gates } = await definitionsAt(objects, flow.state.base);
      const changed = (await changedFiles(objects.git, plan.base, commit)).map(({ path }) => path);
      const wanted = selectGates(gates, [...filesOf(flow), ...changed], check.mode ?? 'fast');
      return ofGates((await gatesOn(flow, plan, commit, wanted)).results);
    }
    case 'ground': {
      const { status, checks } = await groundSoFar(flow, plan, commit);
      const said = checks.flatMap(({ findings }) => findings.map(({ message }) => message));
      return { status, summary: said.join('; ') || 'nothing was found', evidence: [] };
    }
    case 'check':
      return fits(flow, check, { ref: plan.branch, commit });
    case 'command': {
      const gate: Gate = {
        id: `workflow/${step}`,
        kind: check.claim ?? 'test',
        command: check.argv.map(shellWord).join(' '),
        subsystem: null,
        timeoutMs: check.timeoutSeconds === undefined ? commandMs : check.timeoutSeconds * 1000,
        origin: `step ${step} of a workflow`,
      };
      return ofGates((await gatesOn(flow, plan, commit, [gate])).results);
    }
  }
}

/** Branches are named as for `joinery check`; `HEAD` is the work. */
async function fits(
  flow: TaskFlow,
  { base, branches = ['HEAD'] }: Extract<WorkflowCheck, { kind: 'check' }>,
  work: NamedCommit,
): Promise<Omit<CheckOutcome, 'kind'>> {
  const { repository } = flow.workshop;
  const unknown = (ref: string) => ({
    status: 'inconclusive' as const,
    summary: `there is no branch or commit ${ref}`,
    evidence: [],
  });
  const { integration } = flow.state;
  const onto = base === undefined ? integration.commit : await readRef(repository.git, base);
  if (onto === null) return unknown(base ?? '');
  const tips: NamedCommit[] = [];
  for (const name of branches) {
    const refs = isRefPattern(name) ? await matchingBranches(repository, onto, name) : [name];
    for (const ref of refs) {
      const commit = ref === 'HEAD' ? work.commit : await readRef(repository.git, ref);
      if (commit === null) return unknown(ref);
      tips.push(ref === 'HEAD' ? work : { ref, commit });
    }
  }
  const { findings, status } = await runCheck(flow, onto, tips);
  const blocking = findings.filter(holdsBack);
  const said = blocking.map(({ message }) => message).join('; ');
  return {
    status: outcomeOf(status),
    summary: said || `${findings.length} findings, none blocks`,
    evidence: [],
  };
}

function ofGates(results: readonly GateResult[]): Omit<CheckOutcome, 'kind'> {
  const bad = results.filter(({ status }) => status !== 'pass');
  return {
    status: overallStatus(results),
    summary:
      bad.map(({ gate, status, reason }) => `${gate.id} ${status}: ${reason}`).join(', ') ||
      `${results.length} gates pass`,
    evidence: results.flatMap(({ evidence }) => evidence ?? []),
  };
}
