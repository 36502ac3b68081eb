import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { classifyFailure, type FailureFacts } from '#crew/state/classify.ts';
import { attemptMark, keptRef } from '#crew/state/names.ts';
import { stepOf } from '#crew/state/state.ts';
import { changedFiles as diffFiles, mergeOnto, treeOf, writeCommit } from '#git/branches.ts';
import { createWorktree, removeWorktree } from '#git/worktrees.ts';
import {
  type AttemptFacts,
  completeStep,
  type Submission,
  type Verification,
} from '#handoff/complete-step.ts';
import type { ModelTier } from '#schema/agent.ts';
import type { Work } from '#schema/gates.ts';
import { Handoff } from '#schema/handoff.ts';
import type { AttemptOutcome, Incident } from '#schema/run.ts';
import { provideDependencies } from './dependencies.ts';
import { databaseName, scratchFolders, taskEnvironment, workFile } from './environment.ts';
import { readWork } from './read-work.ts';
import { scratchOf, type TaskFlow } from './run-task.ts';

/** Where and how one attempt works, as recorded before it begins. */
export type AttemptPlan = {
  readonly n: number;
  readonly round: number;
  readonly branch: string;
  readonly path: string;
  readonly driver: string;
  readonly tier: ModelTier;
  readonly model: string | null;
  readonly role: string;
  readonly base: string;
  readonly from: string;
};

export type Played = {
  readonly outcome: AttemptOutcome;
  readonly reason: string;
  readonly handoff: string | null;
  readonly notes: string | null;
  readonly incidents?: Incident[];
};

/** Each holder makes its own: what another one made may be written to by processes of that one. */
export async function openWorktree(flow: TaskFlow, plan: AttemptPlan): Promise<void> {
  const { context, id, workshop } = flow;
  await context.step(`${id}/${plan.n}/worktree@${context.token}`, async (call) => {
    const dependencies = await buildWorktree(flow, plan);
    const ports = workshop.claimPorts(context.run, id);
    const database = databaseName(context.run, flow.slug);
    call.emit({
      type: 'worktree.ready',
      step: id,
      attempt: plan.n,
      data: { head: plan.from, path: plan.path, dependencies, ports, database },
    });
    return null;
  });
}

/** As it was when it was made, whatever others did to it since. */
export async function renewWorktree(flow: TaskFlow, plan: AttemptPlan): Promise<void> {
  await buildWorktree(flow, plan);
}

/** What was worth keeping of it was committed. */
export async function closeWorktree(flow: TaskFlow, plan: AttemptPlan): Promise<void> {
  await flow.refs.assertHeld();
  const own = join(flow.premises.worktrees, basename(plan.path));
  for (const path of new Set([plan.path, own])) await removeWorktree(flow.workshop.repository, path);
}

async function buildWorktree(flow: TaskFlow, plan: AttemptPlan) {
  const { workshop, context, premises } = flow;
  const { path, branch, from } = plan;
  const { tmp, cache } = scratchFolders(scratchOf(flow));
  await Promise.all([mkdir(tmp, { recursive: true }), mkdir(cache, { recursive: true })]);
  await flow.refs.set(`refs/heads/${branch}`, from);
  const reason = `joinery run ${context.run} task ${flow.id}`;
  await createWorktree(premises.source, { path, branch, commit: from, reason });
  await writeFile(workFile(scratchOf(flow)), JSON.stringify(workOf(flow, plan)));
  workshop.probe(`${flow.id}/${plan.n}/worktree: made`);
  const { means } = await provideDependencies(
    workshop.provisioning,
    workshop.repository.workTree,
    plan.path,
    environmentOf(flow, plan),
  );
  return means;
}

function workOf({ state, context, id }: TaskFlow, plan: AttemptPlan): Work {
  const { task, granted } = stepOf(state, id);
  const declared = [...task.files, ...granted];
  const { n: attempt, path: worktree, base } = plan;
  return { v: 1, run: context.run, task: id, attempt, worktree, rules: state.base, base, declared };
}

export function environmentOf(
  flow: TaskFlow,
  plan: AttemptPlan,
  scratch = scratchOf(flow),
): Record<string, string> {
  const { workshop, context } = flow;
  return taskEnvironment(
    {
      run: context.run,
      task: flow.id,
      slug: flow.slug,
      mark: attemptMark(context.run, flow.slug, plan.n),
      scratch,
      ports: workshop.claimPorts(context.run, flow.id),
    },
    workshop.env,
  );
}

export type Committed = {
  /** null when the work did not get onto the task's branch. */
  readonly commit: string | null;
  readonly changedFiles: readonly string[] | null;
  readonly unreadable: string | null;
  readonly incidents: readonly Incident[];
};

/** Finished work goes to the task's branch; the remains of a failed attempt are kept beside it. */
export function commitAttempt(flow: TaskFlow, plan: AttemptPlan, played: Played): Promise<Committed> {
  const { context, id, workshop, premises } = flow;
  const { objects } = premises;
  return context.step(`${id}/${plan.n}/commit`, async (call) => {
    const reading = await readWork(flow, plan, await takeOver(flow, plan));
    if (reading.status === 'unreadable') return { ...nothing, unreadable: reading.reason };
    const { tree, incidents } = reading;
    workshop.probe(`${id}/${plan.n}/commit: tree written`);
    const isChanged = tree !== (await treeOf(objects.git, plan.from));
    const commit = isChanged
      ? await writeCommit(objects.git, {
          tree,
          parents: [plan.from],
          message: messageFor(flow, plan),
          at: startOf(flow),
        })
      : plan.from;
    if (isChanged) await objects.publish(commit, [plan.from]);
    workshop.probe(`${id}/${plan.n}/commit: commit written`);
    if (played.outcome !== 'ok') {
      if (!isChanged) return nothing;
      const ref = keptRef(context.run, flow.slug, plan.n);
      await flow.refs.set(ref, commit);
      call.emit({
        type: 'work.kept',
        step: id,
        attempt: plan.n,
        data: { ref, commit, why: `attempt ${plan.n}: ${played.outcome}` },
      });
      return nothing;
    }
    await flow.refs.set(`refs/heads/${plan.branch}`, commit);
    const files = await diffFiles(objects.git, plan.base, commit);
    call.emit({
      type: 'step.committed',
      step: id,
      attempt: plan.n,
      data: { commit, tree, parent: plan.from, files, ...(incidents.length > 0 ? { incidents } : {}) },
    });
    return { commit, changedFiles: files.map((file) => file.path), unreadable: null, incidents };
  });
}

const nothing: Committed = { commit: null, changedFiles: null, unreadable: null, incidents: [] };

/**
 * Where the work of an attempt lies that may have been played for a holder before us. It is moved to our own folder:
 * should that holder wake up, it finds nothing there to change or to tidy up.
 */
async function takeOver(flow: TaskFlow, { path }: AttemptPlan): Promise<string> {
  const own = join(flow.premises.worktrees, basename(path));
  if (path === own || existsSync(own)) return own;
  const holders = dirname(flow.premises.worktrees);
  const names = await readdir(holders).catch(() => []);
  const places = [path, ...names.map((name) => join(holders, name, basename(path)))];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) return path;
  await rename(found, own);
  return own;
}

/** Part of the commit, so that making it again gives the same one. */
function startOf(flow: TaskFlow): string {
  return stepOf(flow.state, flow.id).attempts.at(-1)?.startedAt ?? flow.state.createdAt;
}

function messageFor(flow: TaskFlow, plan: AttemptPlan): string {
  const { task } = stepOf(flow.state, flow.id);
  const title = task.title.split(/\r?\n/, 1)[0] ?? '';
  return `${title}\n\nJoinery-Run: ${flow.context.run}\nJoinery-Task: ${task.id}\nJoinery-Attempt: ${plan.n}`;
}

export async function completeAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  played: Played,
  { changedFiles, unreadable, incidents }: Committed = nothing,
  verified: Verification = { checks: [], findings: [] },
): Promise<void> {
  const { context, id, workshop } = flow;
  const artifact = (hash: string | null) =>
    hash === null ? null : workshop.engine.artifact(context.run, hash);
  await context.step(`${id}/${plan.n}/complete`, (call) => {
    const raw = artifact(played.handoff);
    const facts: AttemptFacts = {
      step: id,
      attempt: plan.n,
      outcome: unreadable === null ? played.outcome : 'crashed',
      reason: unreadable ?? played.reason,
      changedFiles,
      verified,
      incidents: [...(played.incidents ?? []), ...incidents],
    };
    const submission: Submission = {
      handoff: raw === null ? null : Handoff.parse(JSON.parse(raw)),
      notes: artifact(played.notes) ?? '',
    };
    const { events, verdict } = completeStep(facts, submission);
    for (const event of events) call.emit(event);
    if (verdict !== null && verdict !== 'approve')
      call.emit({
        type: 'attempt.classified',
        step: id,
        attempt: plan.n,
        data: classifyFailure(failureFacts(flow, submission, facts)),
      });
    return verdict;
  });
}

function failureFacts(
  flow: TaskFlow,
  { handoff, notes }: Submission,
  { outcome, reason, changedFiles, verified }: AttemptFacts,
): FailureFacts {
  const { task, attempts } = stepOf(flow.state, flow.id);
  const attempt = attempts.at(-1);
  return {
    outcome,
    reason,
    notes,
    tools: attempt?.tools ?? { seen: 0, explored: 0, wrote: 0 },
    dropped: attempt?.dropped ?? [],
    hasWork: (changedFiles ?? []).length > 0 || (attempt?.kept ?? null) !== null,
    checks: attempt?.grounding?.checks ?? [],
    findings: verified.findings,
    declared: task.files.length,
    blocker: handoff?.status === 'blocked' ? (handoff.blocker ?? 'it does not say by what') : null,
    hasHandoff: handoff !== null,
  };
}

/** True when the work is part of the integration branch, false when its text does not merge. */
export function integrateAttempt(flow: TaskFlow, plan: AttemptPlan): Promise<boolean> {
  const { context, id, workshop, state } = flow;
  const integrate = () =>
    context.step(`${id}/${plan.n}/integrate`, async (call) => {
      const commit = stepOf(state, id).commit ?? plan.from;
      // Onto the commit in the log: the branch is for people to look at, and anybody may have moved it.
      const landing = await mergeOnto(flow.premises.objects, state.integration.commit, commit, {
        message: `Merge task ${id}\n\nJoinery-Run: ${context.run}\nJoinery-Task: ${id}`,
        at: startOf(flow),
      });
      if (landing.status === 'landed') {
        await flow.refs.set(`refs/heads/${state.integration.branch}`, landing.head);
        workshop.probe(`${id}/${plan.n}/integrate: merged`);
        call.emit({ type: 'step.accepted', step: id, data: { commit, integration: landing.head } });
        return true;
      }
      const { head, paths } = landing;
      call.emit({
        type: 'step.conflicted',
        step: id,
        attempt: plan.n,
        data: { commit, head, paths: [...paths] },
      });
      return false;
    });
  // Until it is recorded: the next one builds upon what the log says.
  return workshop.merging.pass(integrate);
}
