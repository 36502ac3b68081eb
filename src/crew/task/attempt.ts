import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { classifyFailure, type FailureFacts } from '#crew/state/classify.ts';
import { attemptMark, keptRef } from '#crew/state/names.ts';
import { stepOf } from '#crew/state/state.ts';
import { changedFiles as diffFiles, mergeInto, writeCommit } from '#git/branches.ts';
import {
  createWorktree,
  isPristine,
  readWorktree,
  removeWorktree,
  type WorktreeWanted,
} from '#git/worktrees.ts';
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

export async function openWorktree(flow: TaskFlow, plan: AttemptPlan): Promise<void> {
  const { context, id, workshop } = flow;
  await context.step(`${id}/${plan.n}/worktree`, async (call) => {
    const before = stepOf(flow.state, id).attempts.at(-2);
    if (before && before.path !== plan.path) await removeWorktree(workshop.repository, before.path);
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
  // Recorded as made, but gone since: somebody tidied up between a crash and the resume.
  if (!existsSync(join(plan.path, '.git')) && !stepOf(flow.state, id).attempts.at(-1)?.played) {
    await buildWorktree(flow, plan);
  }
}

/** As it was when it was made, whatever others did to it since. */
export async function renewWorktree(flow: TaskFlow, plan: AttemptPlan): Promise<void> {
  await removeWorktree(flow.workshop.repository, plan.path);
  await buildWorktree(flow, plan);
}

async function buildWorktree(flow: TaskFlow, plan: AttemptPlan) {
  const { workshop, context } = flow;
  const wanted: WorktreeWanted = {
    path: plan.path,
    branch: plan.branch,
    from: plan.from,
    reason: `joinery run ${context.run} task ${flow.id}`,
  };
  const { tmp, cache } = scratchFolders(scratchOf(flow));
  await Promise.all([mkdir(tmp, { recursive: true }), mkdir(cache, { recursive: true })]);
  if (!(await isPristine(workshop.repository, wanted)))
    await createWorktree(workshop.repository, flow.refs, wanted);
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
};

/** Finished work goes to the task's branch; the remains of a failed attempt are kept beside it. */
export function commitAttempt(flow: TaskFlow, plan: AttemptPlan, played: Played): Promise<Committed> {
  const { context, id, workshop } = flow;
  const { git } = workshop;
  return context.step(`${id}/${plan.n}/commit`, async (call) => {
    const reading = await readWorktree(workshop.repository, plan.path, workshop.provisioning.folders);
    if (reading.status === 'unreadable') return { ...nothing, unreadable: reading.reason };
    const { tree } = reading;
    workshop.probe(`${id}/${plan.n}/commit: tree written`);
    const isChanged = tree !== (await flow.refs.treeOf(plan.from));
    const commit = isChanged
      ? await writeCommit(git, {
          tree,
          parents: [plan.from],
          message: messageFor(flow, plan),
          at: startOf(flow),
        })
      : plan.from;
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
    const files = await diffFiles(git, plan.base, commit);
    call.emit({
      type: 'step.committed',
      step: id,
      attempt: plan.n,
      data: { commit, tree, parent: plan.from, files },
    });
    return { commit, changedFiles: files.map((file) => file.path), unreadable: null };
  });
}

const nothing: Committed = { commit: null, changedFiles: null, unreadable: null };

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
  { changedFiles, unreadable }: Committed = nothing,
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
      incidents: played.incidents ?? [],
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
  return context.step(`${id}/${plan.n}/integrate`, async (call) => {
    const step = stepOf(state, id);
    const commit = step.commit ?? plan.from;
    const landing = await workshop.merging.pass(() =>
      mergeInto(flow.refs, `refs/heads/${state.integration.branch}`, commit, {
        message: `Merge task ${id}\n\nJoinery-Run: ${context.run}\nJoinery-Task: ${id}`,
        at: startOf(flow),
      }),
    );
    workshop.probe(`${id}/${plan.n}/integrate: merged`);
    if (landing.status === 'landed') {
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
}
