import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { judgedFolder } from '#agents/prompt/desk.ts';
import { holderName } from '#app/workplace/holder-name.ts';
import { releaseLease, renewLease, takeLease } from '#durable/lease.ts';
import { createScratch } from '#git/objects/scratch.ts';
import { checkOutPlain } from '#git/worktrees/plain-checkout.ts';
import { Semaphore } from '#lib/semaphore.ts';
import { GateVerdict } from '#schema/phase-handoffs.ts';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import type { Submission } from '#workflow/contracts/submission.ts';
import { WorkflowLog } from '#workflow/engine/log.ts';
import { notesBehind } from '#workflow/engine/recovery.ts';
import { contextAt, loopsAt, type Position, stepAt } from '#workflow/machine/position.ts';
import { type ActiveDelegation, activeDelegations } from '#workflow/prompt/delegations.ts';
import type { AgentReply, AgentTurn } from './ask-agent.ts';
import type { WorkflowRoom } from './workflow-room.ts';
import { startWorkflow } from './workflow-runs.ts';

const leaseMs = 15_000;
/** Deeper nesting of delegates is a mistake. */
const deepestDelegate = 3;
const agentFailures = 3;

const tiers = { lightweight: 'fast', mid: 'standard', heavy: 'strong' } as const;

export interface DriveWish {
  readonly agent: string;
  readonly signal: AbortSignal;
  /** Lets an agent do one step, and reads its submission. */
  ask(turn: AgentTurn): Promise<AgentReply>;
  readonly cwd: string;
  readonly mode: 'read' | 'edit';
  isUntouched(): Promise<boolean>;
  /** Whether delegates may write, each in a separate worktree. */
  readonly mayDelegatesEdit: boolean;
  readonly depth: number;
  /** Progress for people. */
  tell(line: string): void;
  /** The outcome of a step, for a log. */
  note?(note: StepNote): void;
}

export interface StepNote {
  readonly step: string;
  readonly title: string;
  readonly status: 'begun' | 'accepted' | 'refused' | 'waiting';
  readonly detail: string;
}

/** Drives a run with agents until it ends, waits for a person, or stops. Only this process drives it meanwhile. */
export async function driveWorkflow(
  room: WorkflowRoom,
  first: WorkflowAnswer,
  wish: DriveWish,
): Promise<WorkflowAnswer> {
  const log = new WorkflowLog(room.log.store, room.log.now);
  const engine = room.engineFor(log);
  const run = first.sessionId;
  const lease = takeLease(log.store, run, holderName(), log.now(), leaseMs);
  log.lease = lease;
  const beat = setInterval(() => {
    try {
      renewLease(log.store, lease, log.now(), leaseMs);
    } catch {
      // Another process holds the lease: our next commit is refused with that reason.
    }
  }, leaseMs / 3);
  beat.unref();
  try {
    return await drive({ ...room, log, engine }, first, wish);
  } finally {
    clearInterval(beat);
    releaseLease(log.store, lease);
  }
}

async function drive(room: WorkflowRoom, first: WorkflowAnswer, wish: DriveWish): Promise<WorkflowAnswer> {
  let answer = first;
  for (let failures = 0; ; ) {
    if (wish.signal.aborted) return answer;
    if (answer.kind === 'gate_checkpoint') {
      const decided = await keepGate(room, answer, wish);
      if (decided === null) return answer;
      answer = decided;
      continue;
    }
    if (answer.pending === null || answer.continueToken === null) return answer;
    const { instance, title } = answer.pending;
    const note = (status: StepNote['status'], detail = '') =>
      wish.note?.({ step: instance, title, status, detail });
    wish.tell(`${instance}: ${title}`);
    note('begun');
    const submission = await produce(room, answer, wish, failures + 1);
    if ('failed' in submission) {
      failures += 1;
      wish.tell(`${instance}: ${submission.failed}`);
      if (submission.isFinal || failures >= agentFailures || wish.signal.aborted) return answer;
      continue;
    }
    failures = 0;
    answer = JSON.parse(
      await room.engine.continue(answer.continueToken, submission, wish.signal),
    ) as WorkflowAnswer;
    for (const warning of answer.warnings) wish.tell(warning);
    const missing = (answer.blockers ?? []).map(({ message }) => message);
    for (const message of missing) wish.tell(`not accepted: ${message}`);
    if (answer.kind === 'gate_checkpoint') note('waiting', 'at a gate');
    else note(missing.length > 0 ? 'refused' : 'accepted', missing.join('; '));
  }
}

/** Produces the submission for the pending step: from an agent, from delegates, or nothing if Joinery itself checks. */
async function produce(
  room: WorkflowRoom,
  answer: WorkflowAnswer,
  wish: DriveWish,
  round: number,
): Promise<Produced> {
  const node = Number(answer.nodeId.slice(1));
  const standing = room.engine.standing(answer.sessionId, node);
  const position = standing.node.position as unknown as Position;
  const step = stepAt(standing.workflow, position);
  if (step.check) return { notes: null, artifacts: [], context: {} };
  if (step.delegations) {
    const context = contextAt(loopsAt(standing.workflow, position), position, standing.context);
    const active = activeDelegations(step.delegations, context);
    if (active.length === 0) return { notes: 'No delegation applied.', artifacts: [], context: {} };
    return delegate(room, answer, active, context, wish);
  }
  const blocked = (answer.blockers ?? []).map(({ message, fix }) => `- ${message}\n  ${fix}`).join('\n');
  // Every step runs in a new agent session, so the prompt says what was done before.
  const { pending } = room.engine.at(answer.sessionId, node);
  const reply = await wish.ask({
    run: answer.sessionId,
    step: step.id,
    role: 'workflow',
    round: standing.node.streak + round,
    prompt: `${pending?.prompt ?? ''}${blocked === '' ? '' : `\n\n## Not accepted yet\n${blocked}`}`,
    cwd: wish.cwd,
    mode: wish.mode,
    tier: tiers[answer.pending?.modelTier as keyof typeof tiers] ?? null,
    isUntouched: wish.isUntouched,
  });
  if (reply.outcome === 'ok') return reply.submission;
  return { failed: reply.reason, ...(reply.isFinal ? { isFinal: true } : {}) };
}

type Produced = Submission | { readonly failed: string; readonly isFinal?: boolean };

/** Runs the delegates, each as a separate run, as many at a time as the project allows. */
async function delegate(
  room: WorkflowRoom,
  answer: WorkflowAnswer,
  active: readonly ActiveDelegation[],
  context: Readonly<Record<string, unknown>>,
  wish: DriveWish,
): Promise<Produced> {
  if (wish.depth >= deepestDelegate) return { failed: `delegates are nested deeper than ${deepestDelegate}` };
  if (!wish.mayDelegatesEdit && active.some(({ mode }) => mode === 'edit'))
    return {
      failed: 'the delegates of a task of a run may only read; what is to be written is a task of the plan',
      isFinal: true,
    };
  const { run, node } = { run: answer.sessionId, node: Number(answer.nodeId.slice(1)) };
  const children: { delegation: ActiveDelegation; start: WorkflowAnswer; dropped: string[] }[] = [];
  for (const delegation of active) {
    const seen = { full: { ...context, ...delegation.values }, 'task-only': delegation.values, blind: {} }[
      delegation.isolation
    ];
    const { goal: _goal, is_autonomous: _auto, ...own } = seen as Record<string, unknown>;
    const start = await startWorkflow(room, {
      workflow: delegation.workflow,
      goal: delegation.goal,
      mode: 'autonomous',
      context: own,
      parent: { run, node },
    });
    children.push({
      delegation,
      start,
      dropped: Object.keys(context).filter((name) => !(name in own) && name !== 'goal'),
    });
  }
  room.log.append(run, [
    {
      type: 'workflow.delegated',
      data: {
        node,
        children: children.map(({ delegation, start, dropped }) => ({
          run: start.sessionId,
          workflow: delegation.workflow,
          mode: delegation.mode,
          isolation: delegation.isolation,
          dropped,
        })),
      },
    },
  ]);
  const places = new Semaphore(room.config.run.parallel);
  const ends = await Promise.all(
    children.map(({ delegation, start }) => places.pass(() => runDelegate(room, delegation, start, wish))),
  );
  const failed = ends.find(({ answer: end }) => !end.isComplete);
  if (failed)
    return { failed: `delegate ${failed.answer.sessionId} (${failed.answer.workflowId}) did not finish` };
  return {
    notes: ends
      .map(({ answer: end, notes }) => `### ${end.workflowId} (${end.sessionId})\n${notes}`)
      .join('\n\n'),
    artifacts: ends.flatMap(({ artifacts }) => artifacts),
    context: {},
  };
}

interface DelegateEnd {
  readonly answer: WorkflowAnswer;
  readonly notes: string;
  readonly artifacts: Submission['artifacts'];
}

async function runDelegate(
  room: WorkflowRoom,
  { mode }: ActiveDelegation,
  start: WorkflowAnswer,
  wish: DriveWish,
): Promise<DelegateEnd> {
  const place = await openPlace(room, start.sessionId, mode);
  // Checks of a delegate with its own worktree run in that worktree.
  const own: WorkflowRoom =
    mode === 'edit' ? { ...room, engineFor: (log) => room.engineFor(log, place.path) } : room;
  try {
    const answer = await driveWorkflow(own, start, {
      ...wish,
      cwd: place.path,
      mode,
      isUntouched: place.isUntouched,
      depth: wish.depth + 1,
      tell: (line) => wish.tell(`${start.workflowId}: ${line}`),
    });
    const end = room.log.node(answer.sessionId, Number(answer.nodeId.slice(1)));
    const artifacts = (end.output?.artifacts ?? []).map(
      ({ sha256 }) => JSON.parse(room.log.text(answer.sessionId, sha256)) as Record<string, unknown>,
    );
    const [last] = notesBehind(room.log, answer.sessionId, end);
    const left = mode === 'edit' ? `\n\nIts work is in ${place.path}.` : '';
    return { answer, notes: `${last?.notes ?? 'no notes'}${left}`, artifacts };
  } finally {
    await place.close();
  }
}

/** A read-only copy of the checked-out commit, or a separate worktree that is kept. */
async function openPlace(room: WorkflowRoom, run: string, mode: 'read' | 'edit') {
  const head = room.log.started(run).head ?? 'HEAD';
  if (mode === 'edit') {
    const path = join(room.folders.worktrees(run), 'work');
    await room.repository.git.run(['worktree', 'add', '--quiet', '--detach', '--', path, head]);
    return { path, isUntouched: async () => false, close: async () => {} };
  }
  const root = room.folders.scratch(run);
  const scratch = await createScratch(room.repository, join(root, 'objects'));
  const checkout = await checkOutPlain(scratch, `${head}^{tree}`, join(root, 'code', judgedFolder));
  return { ...checkout, close: () => scratch.remove() };
}

/** Asks an agent about a gate it may decide; null if the gate is for a person. */
async function keepGate(
  room: WorkflowRoom,
  answer: WorkflowAnswer,
  wish: DriveWish,
): Promise<WorkflowAnswer | null> {
  const { gate, sessionId } = answer;
  if (!gate || gate.gateKind === 'human_approval') return null;
  const node = room.log.node(sessionId, Number(answer.nodeId.slice(1)));
  const handedIn = [
    node.output?.notes ? room.log.text(sessionId, node.output.notes) : '',
    ...(node.output?.artifacts ?? []).map(({ sha256 }) => room.log.text(sessionId, sha256)),
  ].filter((text) => text !== '');
  wish.tell(`gate at ${gate.stepId}`);
  // All that it judges is in the prompt.
  const nothing = join(room.folders.scratch(sessionId), 'gate', judgedFolder);
  mkdirSync(nothing, { recursive: true });
  const reply = await wish.ask({
    run: sessionId,
    step: `${gate.stepId}-gate`,
    role: 'gate',
    round: node.rejections + 1,
    prompt: gatePrompt(room.log.started(sessionId).goal, gate.stepId, handedIn),
    cwd: nothing,
    mode: 'read',
    tier: null,
    isUntouched: async () => true,
  });
  const verdict =
    reply.outcome === 'ok'
      ? reply.submission.artifacts.map((each) => GateVerdict.safeParse(each)).find(({ success }) => success)
          ?.data
      : undefined;
  return room.engine.decide(sessionId, node.node, {
    verdict: verdict?.verdict ?? 'uncertain',
    rationale:
      verdict?.rationale ?? (reply.outcome === 'ok' ? 'the evaluator gave no verdict' : reply.reason),
    by: wish.agent,
  });
}

function gatePrompt(goal: string, step: string, handedIn: readonly string[]): string {
  return [
    `You keep a gate. Another agent works on: ${goal}`,
    `It has handed in this for step "${step}":`,
    ...handedIn.map((text) => `---\n${text}\n---`),
    'Approve it if the work can go on from it. Reject it with what is missing. Say uncertain if a person has to decide.',
    'Hand in an artifact: {"kind":"wr.gate_verdict","version":1,"verdict":"approved|rejected|uncertain","confidence":"high|medium|low","rationale":"at least twenty characters"}',
  ].join('\n\n');
}
