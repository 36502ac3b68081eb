import { readSubmission, stepForm } from '#app/workflow/ask-agent.ts';
import { demandCompiled, demandWorkflow } from '#app/workflow/describe-workflows.ts';
import { driveWorkflow, type StepNote } from '#app/workflow/drive-workflow.ts';
import { type WorkflowRoom, workflowRoomOn } from '#app/workflow/workflow-room.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { stepOf } from '#crew/state/state.ts';
import type { AttemptPlan, LeadAttempt, LedAttempt, TaskFlow } from '#crew/task/task.ts';
import { UsageError } from '#schema/errors.ts';
import { exampleHandoff } from '#schema/handoff.ts';
import type { WorkflowAnswer } from '#schema/workflow-run.ts';
import { notesBehind } from '#workflow/engine/recovery.ts';
import { readTree } from '#workflow/engine/tree.ts';
import { newRunId } from '#workflow/engine/workflow-engine.ts';
import { WorkflowError } from '#workflow/engine/workflow-error.ts';
import type { RunRoom } from './run-room.ts';

type End = Awaited<ReturnType<LeadAttempt>>;

/** One attempt that follows one workflow. */
interface Walk {
  readonly room: WorkflowRoom;
  readonly flow: TaskFlow;
  readonly plan: AttemptPlan;
  readonly workflow: string;
  readonly led: LedAttempt;
}

/**
 * Leads the agent of an attempt through a workflow: one turn per step; a step ends when its contract is fulfilled. The
 * workflow's run is in the same log, so the attempt after an interrupted one continues at the same step.
 */
export function leadAttempt(
  { env, terminal }: Pick<Surroundings, 'env' | 'terminal'>,
  { repository, runs }: Pick<RunRoom, 'repository' | 'runs'>,
): LeadAttempt {
  return async (flow, plan, workflow, led) => {
    const here = { cwd: repository.workTree ?? repository.commonDir, env, terminal };
    const room = await workflowRoomOn(here, repository, runs.engine.store, (step) => led.check(step));
    const walk = { room, flow, plan, workflow, led };
    const first = opened(walk);
    return 'outcome' in first ? first : go(walk, first);
  };
}

/** A workflow that is missing or cannot start fails only its task; the other tasks continue. */
function opened(walk: Walk): WorkflowAnswer | End {
  try {
    return openWorkflow(walk);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof WorkflowError)) throw error;
    return { outcome: 'crashed', reason: `workflow ${walk.workflow} cannot begin: ${error.message}` };
  }
}

async function go({ room, flow, plan, workflow, led }: Walk, first: WorkflowAnswer): Promise<End> {
  const run = first.sessionId;
  let failed: End | null = null;
  let begun: StepNote | null = null;
  const signal = AbortSignal.any([flow.stop, flow.context.lost]);
  const answer = await driveWorkflow(room, first, {
    agent: plan.driver,
    signal,
    async ask({ role, prompt, step, tier, cwd, mode, isUntouched }) {
      const isOwn = role === 'workflow';
      const text = `${isOwn ? opening(workflow) : ''}${prompt}\n\n${stepForm}\n`;
      if (isOwn && begun) led.record({ workflow, run, ...begun }, text);
      const turn = { step, role: isOwn ? plan.role : role, prompt: text, tier, cwd, mode, isUntouched };
      const end = await led.turn(turn);
      if (end.outcome === 'ok') return { outcome: 'ok', submission: readSubmission(end.handed, end.text) };
      failed = { outcome: end.outcome, reason: end.reason };
      return { outcome: 'failed', reason: `${end.outcome}: ${end.reason}`, isFinal: true };
    },
    cwd: plan.path,
    mode: 'edit',
    isUntouched: async () => false,
    mayDelegatesEdit: false,
    depth: 0,
    tell: () => {},
    note(note) {
      if (note.status === 'begun') begun = note;
      else led.record({ workflow, run, ...note });
    },
  });
  if (signal.aborted) return { outcome: 'cancelled', reason: '' };
  return failed ?? finish({ room, flow, plan, workflow, led }, answer);
}

/** The run that an earlier attempt left open, at its current step; otherwise a new one. */
function openWorkflow(walk: Walk): WorkflowAnswer {
  const { room, flow, plan, workflow, led } = walk;
  const { task, attempts, firstAttemptOfTry } = stepOf(flow.state, flow.id);
  const before = attempts.slice(firstAttemptOfTry).filter(({ n }) => n < plan.n);
  const open = before.at(-1)?.workflow;
  const standing = open?.isOpen ? whereItStands(walk, open.run) : null;
  const record = (run: string, detail: string) =>
    led.record({ workflow, run, step: null, title: workflow, status: 'opened', detail });
  if (standing) {
    record(standing.sessionId, `continues at ${standing.pending?.instance ?? standing.nodeId}`);
    return standing;
  }
  const found = demandWorkflow(room.catalogue, workflow);
  const { compiled, hash } = demandCompiled(room.catalogue, found);
  const run = newRunId();
  record(run, '');
  return room.engine.start(
    compiled,
    hash,
    {
      source: { kind: found.kind, path: found.file },
      goal: [task.title, task.description].filter((text) => text !== '').join('\n\n'),
      mode: 'autonomous',
      workspace: plan.path,
      branch: plan.branch,
      head: plan.from,
      parent: { run: flow.context.run, node: plan.n },
    },
    { task: task.id, attempt: plan.n, is_rework: before.some(({ commit }) => commit !== null) },
    run,
  );
}

/** Null for a run that was abandoned, that never started, or that belongs to the run this one was forked from. */
function whereItStands({ room, flow, workflow }: Walk, run: string): WorkflowAnswer | null {
  try {
    const { started, tips } = readTree(room.log, run);
    const tip = tips[0];
    const isOurs = started.parent?.run === flow.context.run && started.workflow === workflow;
    return tip && isOurs && tip.kind !== 'stopped' ? room.engine.at(run, tip.node) : null;
  } catch (error) {
    if (error instanceof WorkflowError) return null;
    throw error;
  }
}

/** The handoff of the attempt: the output of the last step if it is one; otherwise the agent is asked for it. */
async function finish(walk: Walk, answer: WorkflowAnswer): Promise<End> {
  const { room, flow, plan, workflow, led } = walk;
  const run = answer.sessionId;
  const record = (status: 'stopped' | 'complete', detail: string) =>
    led.record({ workflow, run, step: null, title: workflow, status, detail });
  if (answer.kind === 'gate_checkpoint') return waitForPerson(walk, answer);
  const node = room.log.node(run, Number(answer.nodeId.slice(1)));
  if (!answer.isComplete) {
    const why = (answer.blockers ?? []).map(({ message }) => message).join('; ') || 'a step was not done';
    const reason = `workflow ${workflow} stopped at step ${node.step ?? answer.nodeId}: ${why}`;
    if (answer.kind === 'stopped') record('stopped', why);
    return { outcome: 'crashed', reason };
  }
  record('complete', '');
  const typed = (node.output?.artifacts ?? []).find(({ kind }) => led.isHandoff(kind));
  const said = typed ? led.submit(JSON.parse(room.log.text(run, typed.sha256))) : null;
  if (said?.accepted) return { outcome: 'ok', reason: '' };
  if (flow.stop.aborted) return { outcome: 'cancelled', reason: '' };
  const notes = notesBehind(room.log, run, node).map((each) => `## ${each.step}\n${each.notes}`);
  return led.finish(
    [
      `# Every step of workflow ${workflow} is done`,
      said?.text ?? `Hand in the handoff of attempt ${plan.n} now, as described above.`,
      '# Your notes, the last step first',
      ...notes,
    ].join('\n\n'),
  );
}

/** Stores the work and asks a person. When the gate is approved, the task continues with the same step. */
function waitForPerson({ flow, plan, workflow, led }: Walk, { sessionId, gate }: WorkflowAnswer): End {
  const blocker = [
    `step ${gate?.stepId} of workflow ${workflow} waits for a person${gate?.rationale ? `: ${gate.rationale}` : ''}.`,
    `Approve it with joinery workflow gate ${sessionId} approve, or send it back with joinery workflow gate ${sessionId} reject --reason "…";`,
    `then joinery retry ${flow.context.run} --task ${flow.id}.`,
  ].join(' ');
  const handoff = exampleHandoff(flow.context.run, flow.id, plan.n, plan.role);
  const said = led.submit({ ...handoff, decisions: [], assumptions: [], status: 'blocked', blocker });
  return said.accepted ? { outcome: 'ok', reason: '' } : { outcome: 'crashed', reason: said.text };
}

function opening(workflow: string): string {
  return [
    '# One step at a time',
    '',
    `This task is done in the steps of workflow ${workflow}. Do the step below and nothing beyond it. You see the next one when`,
    'this one is accepted; hand in the handoff described above only after the last step. Hand in this step as described below.',
    '',
    '',
  ].join('\n');
}
