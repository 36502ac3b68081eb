import { basename, join } from 'node:path';
import { stepOf } from '#crew/state/state.ts';
import { freshPath, openCleanRoom, reasonOf } from '#crew/task/place/clean-room.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import { scratchFolders } from '#crew/task/place/environment.ts';
import { readerOf } from '#crew/task/place/read-room.ts';
import { environmentOf, scratchOf } from '#crew/task/place/scratch.ts';
import type { AttemptPlan, Committed, TaskFlow } from '#crew/task/task.ts';
import { writtenDependency } from '#crew/watch/dependencies.ts';
import { named } from '#crew/watch/siblings.ts';
import { gatesPrompt } from '#gates/definitions/prompt.ts';
import { selectGates } from '#gates/definitions/select.ts';
import { asCheck, asClaim, findingOf, overallStatus } from '#gates/run/findings.ts';
import { gateRunsOf } from '#gates/run/records.ts';
import { type GateRoom, runGates } from '#gates/run/run-gates.ts';
import { gateTerms } from '#gates/runner/gate-environment.ts';
import { type EvidenceStore, openEvidenceStore, spareRoot } from '#gates/runner/store.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { diffTrees } from '#git/trees/tree.ts';
import { createWorktree, discardWorktree } from '#git/worktrees/worktrees.ts';
import type { Verification } from '#handoff/complete-step.ts';
import { ownFolder } from '#lib/own-place.ts';
import { allowedEnvironment, withholding } from '#process/allowed-environment.ts';
import type { Evidence, Gate, GateResult } from '#schema/gates.ts';
import { measureAttempt } from './measure-attempt.ts';

/** Runs the gates of the base commit on exactly the committed work. Failures go back to the agent with the log. */
export async function gateAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  committed: Committed,
  /** The commit they run on: includes the work of tasks that it imports from. */
  judged: string | null = committed.commit,
): Promise<Verification> {
  const { context, id, workshop } = flow;
  const { commit } = committed;
  const { gates } = await definitionsAt(flow.premises.objects, flow.state.base);
  if (commit === null || judged === null || gates.gates.length === 0) return none(flow.state.base);
  return context.step(`${id}/${plan.n}/gates`, async (call) => {
    const wanted = selectGates(gates, [...filesOf(flow), ...(committed.changedFiles ?? [])], 'full');
    const { results, disturbed } = await gatesOn(flow, plan, judged, wanted);
    for (const what of disturbed) call.emit({ type: 'run.degraded', data: { what } });
    flow.stop.throwIfAborted();
    context.lost.throwIfAborted();
    workshop.probe(`${id}/${plan.n}/gates: run`);
    call.emit({
      type: 'attempt.gated',
      step: id,
      attempt: plan.n,
      data: { commit: judged, status: overallStatus(results), claims: results.map(asClaim) },
    });
    return { checks: results.map(asCheck), findings: results.flatMap((result) => findingOf(result) ?? []) };
  });
}

/** Runs gates on a commit in a clean worktree; `disturbed`: those that were repeated because others changed their files. */
export async function gatesOn(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  gates: readonly Gate[],
): Promise<{ results: GateResult[]; disturbed: string[] }> {
  const { results, disturbed } = await runOn(flow, plan, commit, gates);
  return { results: await withoutWithheld(flow, plan, results), disturbed };
}

/** Programs may have found withheld values elsewhere: keep these out of the run's log and of prompts. */
async function withoutWithheld(
  flow: TaskFlow,
  plan: AttemptPlan,
  results: readonly GateResult[],
): Promise<GateResult[]> {
  const { config } = await definitionsAt(flow.premises.objects, flow.state.base);
  const given = allowedEnvironment(environmentOf(flow, plan), config.gates.env);
  const hide = withholding(flow.workshop.env, given);
  const hideAll = (texts: readonly string[]) => texts.map(hide);
  return results.map((result) => ({
    ...result,
    reason: hide(result.reason),
    newFailures: hideAll(result.newFailures),
    knownFailures: hideAll(result.knownFailures),
    flaky: hideAll(result.flaky),
    log: result.log && { ...result.log, excerpt: hideAll(result.log.excerpt) },
  }));
}

function none(base: string): Verification {
  const detail = `commit ${base.slice(0, 12)} defines none`;
  return {
    checks: [{ name: 'gates', status: 'skipped', decidedBy: 'code', required: false, detail }],
    findings: [],
  };
}

export function filesOf({ state, id }: TaskFlow): readonly string[] {
  const { task, granted } = stepOf(state, id);
  return [...task.files, ...granted];
}

async function runOn(
  flow: TaskFlow,
  plan: AttemptPlan,
  commit: string,
  gates: readonly Gate[],
): Promise<{ results: GateResult[]; disturbed: string[] }> {
  const { context, id, workshop, premises } = flow;
  const { repository } = workshop;
  const { store, recorded } = witnessedStore(workshop.folders.root);
  const { objects } = premises;
  objects.own.write();
  const borrowing = { ...repository, objectsDir: objects.objectsDir };
  const scratch = await createScratch(borrowing, join(premises.scratch, 'gates'));
  const { path, env, provide, restore, prepare, close } = await openCleanRoom(flow, plan, commit, 'gates');
  try {
    const { config } = await definitionsAt(objects, flow.state.base);
    const readerAt = (worktree: string, at: string) => readerOf(flow, scratch, worktree, at);
    const room: GateRoom = {
      place: {
        store,
        worktree: await readerAt(path, commit),
        ...gateTerms(config, workshop.env, env),
        signal: AbortSignal.any([flow.stop, context.lost]),
        run: context.run,
        task: id,
        attempt: plan.n,
      },
      baseline: {
        scratch,
        commit: plan.base,
        withWorktree: async (body) => {
          const base = freshPath(flow, 'base');
          const reason = reasonOf(flow, 'the tests of the base commit');
          try {
            await createWorktree(premises.source, { path: base, branch: null, commit: plan.base, reason });
            await provide(base);
            return await body(await readerAt(base, plan.base));
          } finally {
            await discardWorktree(premises.source, base);
          }
        },
        dependencies: 'run',
        isOptional: false,
      },
      restore,
      prepare,
    };
    const disturbed: string[] = [];
    const results: GateResult[] = [];
    for (const gate of gates) {
      const { result, remark } = await runUndisturbed(flow, gate, room, recorded);
      results.push(await measureAttempt(flow, plan, commit, result, room));
      if (remark !== null) disturbed.push(remark);
    }
    return { results: await withDependencies(flow, results), disturbed };
  } finally {
    await close();
    await scratch.remove();
  }
}

/** A result counts only if the dependencies it was found with are those from before the first agent. */
async function withDependencies(
  { workshop, premises }: TaskFlow,
  results: readonly GateResult[],
): Promise<GateResult[]> {
  const isPassed = ({ status }: GateResult) => status === 'pass' || status === 'warn';
  const { provisioning, repository } = workshop;
  const written = results.some(isPassed)
    ? await writtenDependency(provisioning, repository.workTree, premises.since)
    : null;
  if (written === null) return [...results];
  const reason = `it ran with dependencies that were changed during the run: ${written} in the main checkout; restore them, or if the change is yours, continue with joinery resume after Ctrl-C`;
  return results.map((result) => (isPassed(result) ? { ...result, status: 'inconclusive', reason } : result));
}

/** Only records of this process: the file on disk may have been changed. */
function witnessedStore(root: string): { store: EvidenceStore; recorded: ReadonlyMap<string, Evidence> } {
  const recorded = new Map<string, Evidence>();
  const file = openEvidenceStore(root);
  const append = (evidence: Evidence) => {
    recorded.set(evidence.id, evidence);
    file.append(evidence);
  };
  return { store: { ...file, append }, recorded };
}

/**
 * When a gate fails and files of the commit changed under it while agents of other tasks were running, one of them may
 * have changed the files. The gate is repeated on restored files to find out. New files are no evidence: a failing gate
 * leaves its own logs and pictures.
 */
async function runUndisturbed(
  { siblings, id }: TaskFlow,
  gate: Gate,
  room: GateRoom,
  recorded: ReadonlyMap<string, Evidence>,
): Promise<{ result: GateResult; remark: string | null }> {
  const once = async (): Promise<{ result: GateResult; changed: readonly string[] }> => {
    const [result] = await runGates([gate], room);
    if (!result) throw new Error('a gate without a result');
    return { result, changed: await committedChangedUnder(result, room, recorded) };
  };
  const { value: first, others } = await siblings.besides(once);
  const isDoubtful = first.result.status === 'fail' && first.changed.length > 0 && others.length > 0;
  if (!isDoubtful || room.place.signal?.aborted) return { result: first.result, remark: null };
  const second = await once();
  if (second.changed.length > 0) return { result: first.result, remark: null };
  siblings.suspect(id, others, first.changed);
  const remark = `gate ${gate.id} of task ${id} was run again: ${named(first.changed)} had changed while it ran and agents of other tasks worked (${others.join(', ')})`;
  return { result: second.result, remark };
}

async function committedChangedUnder(
  { status, evidence }: GateResult,
  { baseline }: GateRoom,
  recorded: ReadonlyMap<string, Evidence>,
): Promise<string[]> {
  if (status !== 'fail') return [];
  const found = recorded.get(evidence ?? '');
  if (!found || found.tree === found.treeAfter) return [];
  const trees = [[found.tree, found.treeAfter]] as const;
  const [changes = []] = await diffTrees(baseline.scratch.git, trees, { renames: false });
  return changes.filter(({ before }) => before !== null).map(({ path }) => path);
}

/** The prompt section about the gates. */
export async function gatesPromptFor(flow: TaskFlow): Promise<string> {
  const { gates } = await definitionsAt(flow.premises.objects, flow.state.base);
  return gatesPrompt(gates, flow.id, filesOf(flow));
}

/** Whether the agent ran the gates itself, by Joinery's records; null when there are none. */
export async function gateRunsDuring(
  flow: TaskFlow,
  attempt: number,
): Promise<{ passed: number; failed: number } | null> {
  const { gates } = await definitionsAt(flow.premises.objects, flow.state.base);
  if (gates.gates.length === 0) return null;
  const { folders, repository } = flow.workshop;
  // An agent in a sandbox cannot write to the state folder, but to the cache of its task.
  const { cache } = scratchFolders(scratchOf(flow));
  const spare = spareRoot(ownFolder(scratchOf(flow), basename(cache)), repository.key);
  const of = { run: flow.context.run, task: flow.id };
  const evidence = [folders.root, spare].flatMap((root) => openEvidenceStore(root).all(of));
  return gateRunsOf(evidence, { ...of, attempt });
}
