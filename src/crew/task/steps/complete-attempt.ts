import { classifyFailure, type FailureFacts } from '#crew/state/classify.ts';
import { givenWork } from '#crew/state/given-work.ts';
import { countedAttempts, stepOf } from '#crew/state/state.ts';
import { contractedEvents, judgeChanges } from '#crew/steer/contract-changes.ts';
import type { AttemptPlan, Committed, Played, TaskFlow } from '#crew/task/task.ts';
import { GitTree } from '#git/trees/tree.ts';
import {
  type AttemptFacts,
  completeStep,
  type Submission,
  type Verification,
} from '#handoff/complete-step.ts';
import { Handoff } from '#schema/handoff.ts';
import type { AttemptFinding } from '#schema/run.ts';
import { addresseesIn, libraryFor } from './library-for.ts';

const nothing: Committed = { commit: null, changedFiles: null, unreadable: null, incidents: [] };

/** The verdict on an attempt, and why it failed if it did. */
export async function completeAttempt(
  flow: TaskFlow,
  plan: AttemptPlan,
  played: Played,
  { commit, changedFiles, unreadable, incidents }: Committed = nothing,
  verified: Verification = { checks: [], findings: [] },
): Promise<void> {
  const { context, id, workshop } = flow;
  const artifact = (hash: string | null) =>
    hash === null ? null : workshop.engine.artifact(context.run, hash);
  await context.step(`${id}/${plan.n}/complete`, async (call) => {
    const tree = commit === null ? null : await GitTree.read(flow.premises.objects.git, commit);
    const raw = artifact(played.handoff);
    const handoff = raw === null ? null : Handoff.parse(JSON.parse(raw));
    const changes = played.outcome === 'ok' ? (handoff?.contractChanges ?? []) : [];
    const { pending, accepted, findings } = judgeChanges(flow.state, id, changes);
    const prompt = stepOf(flow.state, id).attempts.at(-1)?.prompt ?? null;
    const facts: AttemptFacts = {
      step: id,
      attempt: plan.n,
      outcome: unreadable === null ? played.outcome : 'crashed',
      isUnreadable: unreadable !== null,
      reason: unreadable ?? played.reason,
      changedFiles,
      verified: { ...verified, findings: [...verified.findings, ...findings, ...newsFindings(flow)] },
      isUndecided: pending.length > 0,
      ...(flow.state.settings.handoffs ? { policy: flow.state.settings.handoffs } : {}),
      ...retriedFrom(flow),
      incidents: [...(played.incidents ?? []), ...incidents],
      library: libraryFor(flow, plan, prompt, tree),
      addressees: addresseesIn(flow),
      dependsOn: givenWork(stepOf(flow.state, id).task.dependsOn, prompt),
    };
    const submission: Submission = {
      handoff,
      form: played.form ?? 'json',
      notes: artifact(played.notes) ?? '',
    };
    const { events, verdict } = completeStep(facts, submission);
    for (const event of contractedEvents(flow.state, id, accepted, 'policy')) call.emit(event);
    for (const event of events) call.emit(event);
    // Work that waits for a decision about the contract has not failed.
    const isWaiting = pending.length > 0 && facts.verified.findings.length === 0;
    if (verdict !== null && verdict !== 'approve' && !isWaiting)
      call.emit({
        type: 'attempt.classified',
        step: id,
        attempt: plan.n,
        data: classifyFailure(failureFacts(flow, submission, facts)),
      });
    return verdict;
  });
}

/** The previous attempt was repeated only because of its handoff. */
function retriedFrom(flow: TaskFlow): Pick<AttemptFacts, 'retriedFrom'> {
  const before = countedAttempts(stepOf(flow.state, flow.id)).at(-2);
  const isRetry = before?.findings.some(({ fingerprint }) => fingerprint.startsWith('handoff:')) ?? false;
  return isRetry && before?.quality && before.verdict === 'revise' ? { retriedFrom: before.quality } : {};
}

/** The contract changed while it worked, in an item it depends on: it has to check its work again. */
function newsFindings({ state, id }: TaskFlow): AttemptFinding[] {
  return stepOf(state, id).news.map((text) => ({
    fingerprint: `contract-changed:${text}`,
    severity: 'blocking',
    message: text,
  }));
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
