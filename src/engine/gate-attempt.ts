import { join } from 'node:path';
import { asCheck, asClaim, findingOf, overallStatus } from '../evidence/gates/findings.ts';
import { gatesPrompt } from '../evidence/gates/prompt.ts';
import { gateRunsOf } from '../evidence/gates/records.ts';
import { runGates } from '../evidence/gates/run-gates.ts';
import { selectGates } from '../evidence/gates/select.ts';
import { openEvidenceStore, spareRoot } from '../evidence/runner/store.ts';
import { createScratch } from '../git/scratch.ts';
import { openWorktreeReader } from '../git/worktree-tree.ts';
import type { Verification } from '../handoff/complete-step.ts';
import type { GateResult } from '../model/gates.ts';
import type { AttemptPlan, Committed } from './attempt.ts';
import { openCleanRoom } from './clean-room.ts';
import { definitionsAt } from './definitions.ts';
import { scratchFolders } from './environment.ts';
import { scratchOf, type TaskFlow } from './run-task.ts';
import { stepOf } from './state.ts';

/** The gates of the base commit, on exactly the committed work. What fails goes back to the agent with its log. */
export async function gateAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  committed: Committed,
): Promise<Verification> {
  const { context, id, workshop } = flow;
  const { commit } = committed;
  const { gates } = await definitionsAt(workshop, flow.state.base);
  if (commit === null || gates.gates.length === 0) return none(flow.state.base);
  return context.step(`${id}/${plan.n}/gates`, async (call) => {
    const wanted = selectGates(gates, [...filesOf(flow), ...(committed.changedFiles ?? [])], 'full');
    const results = await runOn(flow, plan, commit, wanted);
    flow.stop.throwIfAborted();
    context.lost.throwIfAborted();
    workshop.probe(`${id}/${plan.n}/gates: run`);
    call.emit({
      type: 'attempt.gated',
      step: id,
      attempt: plan.n,
      data: { commit, status: overallStatus(results), claims: results.map(asClaim) },
    });
    return { checks: results.map(asCheck), findings: results.flatMap((result) => findingOf(result) ?? []) };
  });
}

function none(base: string): Verification {
  const detail = `commit ${base.slice(0, 12)} defines none`;
  return {
    checks: [{ name: 'gates', status: 'skipped', decidedBy: 'code', required: false, detail }],
    findings: [],
  };
}

function filesOf({ state, id }: TaskFlow): readonly string[] {
  const { task, granted } = stepOf(state, id);
  return [...task.files, ...granted];
}

async function runOn(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  gates: Parameters<typeof runGates>[0],
): Promise<GateResult[]> {
  const { context, id, workshop } = flow;
  const { repository, provisioning } = workshop;
  const store = openEvidenceStore(workshop.folders.root);
  const scratch = await createScratch(repository, join(store.folder, 'scratch'));
  try {
    const { env, provide, restore, prepare } = await openCleanRoom(flow, plan, commit, 'gates');
    const { config } = await definitionsAt(workshop, flow.state.base);
    return await runGates(gates, {
      place: {
        store,
        worktree: await openWorktreeReader(repository, scratch, plan.path, provisioning.folders),
        env,
        maxLogBytes: config.gates.logBytes,
        signal: AbortSignal.any([flow.stop, context.lost]),
        run: context.run,
        task: id,
        attempt: plan.n,
      },
      baseline: {
        repository,
        scratch,
        commit: plan.base,
        provide,
        dependencies: 'run',
        isOptional: false,
        except: provisioning.folders,
      },
      restore,
      prepare,
    });
  } finally {
    await scratch.remove();
  }
}

/** What the agent is told about them. */
export async function gatesPromptFor(flow: TaskFlow): Promise<string> {
  const { gates } = await definitionsAt(flow.workshop, flow.state.base);
  return gatesPrompt(gates, flow.id, filesOf(flow));
}

/** Whether the agent ran them itself, by our own records; null when there are none to run. */
export async function gateRunsDuring(
  flow: TaskFlow,
  attempt: number,
): Promise<{ passed: number; failed: number } | null> {
  const { gates } = await definitionsAt(flow.workshop, flow.state.base);
  if (gates.gates.length === 0) return null;
  const { folders, repository } = flow.workshop;
  // An agent in a sandbox cannot write to the state folder, but to the cache of its task.
  const spare = spareRoot(scratchFolders(scratchOf(flow)).cache, repository.key);
  const of = { run: flow.context.run, task: flow.id };
  const evidence = [folders.root, spare].flatMap((root) => openEvidenceStore(root).all(of));
  return gateRunsOf(evidence, { ...of, attempt });
}
