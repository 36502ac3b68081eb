import { mkdir } from 'node:fs/promises';
import type { AgentRequest } from '#agents/driver.ts';
import { pricedUsage } from '#agents/ledger/prices.ts';
import { playAgent } from '#agents/play-agent.ts';
import type { Prompt } from '#agents/prompt/fit-sections.ts';
import { seesAmbient } from '#agents/prompt/isolation.ts';
import { reportedUsage } from '#crew/state/ledger.ts';
import { agentAddress, attemptMark } from '#crew/state/names.ts';
import { stepOf } from '#crew/state/state.ts';
import { definitionsAt } from '#crew/task/place/definitions.ts';
import { agentScratch, environmentOf, scratchOf, tracesOf } from '#crew/task/place/scratch.ts';
import type { AttemptPlan, Played, TaskFlow } from '#crew/task/task.ts';
import { removeFolder } from '#process/remove-folder.ts';
import { endStrays, processClock, type Stray } from '#process/strays.ts';
import { AgentConfig } from '#schema/agent.ts';
import type { StepCall } from '#schema/durable-port.ts';
import { isJoineryError } from '#schema/errors.ts';
import type { EventDraft } from '#schema/event.ts';
import { defaultLimits, type Incident, usageBeyond } from '#schema/run.ts';
import { RecordedDoors } from './agent-doors.ts';
import { promptFor, upstreamOf } from './attempt-prompt.ts';
import { conductSince, enterWorktree, lookAround } from './conduct.ts';
import { leadAgent, spentBefore, workflowOf } from './lead-agent.ts';

/** Runs the agent once: an interrupted attempt is never continued, it is reported as interrupted. */
export async function playAttempt(flow: TaskFlow, plan: AttemptPlan): Promise<Played> {
  const { context, id } = flow;
  const prompt = await promptFor(flow, plan);
  const sha256 = context.keep(prompt.text);
  const upstream = upstreamOf(flow);
  const prompted: EventDraft<'attempt.prompted'> = {
    type: 'attempt.prompted',
    step: id,
    attempt: plan.n,
    data: {
      sha256,
      mode: prompt.mode,
      isolated: [...prompt.isolated],
      bytes: Buffer.byteLength(prompt.text),
      included: [...prompt.included],
      dropped: [...prompt.dropped],
      role: prompt.role,
      ...(Object.keys(upstream).length > 0 ? { upstream } : {}),
    },
  };
  const played = await context.step(
    `${id}/${plan.n}/play`,
    async (call) => {
      const played: Played = call.resumed
        ? cutOff(flow, plan, call)
        : await play(flow, plan, prompt, call).catch((error) => withoutGuard(error, flow, plan, call));
      call.emit({ type: 'attempt.played', step: id, attempt: plan.n, data: played });
      return played;
    },
    [prompted],
  );
  // The spending is in the log now; its traces are no longer needed.
  await flow.refs.assertHeld();
  await removeFolder(tracesOf(flow, plan.n));
  return played;
}

/** An attempt whose guard was killed counts as interrupted; if that happens to the next one too, a person has to look. */
function withoutGuard(error: unknown, flow: TaskFlow, plan: AttemptPlan, call: StepCall): Played {
  const isFirst = stepOf(flow.state, flow.id).attempts.at(-2)?.outcome !== 'interrupted';
  if (!isFirst || !isJoineryError(error) || error.code !== 'guard-killed') throw error;
  return { ...cutOff(flow, plan, call), reason: error.message };
}

/** Reads from the agent's traces what it spent before we were killed, without counting logged spending twice. */
function cutOff(flow: TaskFlow, plan: AttemptPlan, call: StepCall): Played {
  const { workshop, state, id } = flow;
  const total = spentBefore(workshop.driver(plan.driver), tracesOf(flow, plan.n));
  const attempt = stepOf(state, id).attempts.at(-1);
  const rest = total && attempt ? usageBeyond(total, reportedUsage(attempt)) : null;
  if (rest) {
    const data = pricedUsage(rest, attempt?.model ?? null, state.settings.prices);
    call.progress({ type: 'attempt.spent', step: id, attempt: plan.n, data });
  }
  return {
    outcome: 'interrupted',
    reason: 'the process that drove it was killed',
    handoff: null,
    notes: null,
  };
}

async function play(flow: TaskFlow, plan: AttemptPlan, prompt: Prompt, call: StepCall): Promise<Played> {
  const { context, workshop, id } = flow;
  const { contracts } = await definitionsAt(flow.premises.objects, flow.state.base);
  const doors = new RecordedDoors(flow, plan, prompt, call, contracts);
  const driver = workshop.driver(plan.driver);
  const { attemptTimeoutMs, limits, prices } = flow.state.settings;
  const { agents, mcpServers } = workshop.agentSettings;
  const config = agents[plan.driver] ?? AgentConfig.parse({});
  const scratch = agentScratch(flow, plan.n);
  await mkdir(scratch, { recursive: true });
  const hasAmbient = seesAmbient(plan.role, stepOf(flow.state, id).task.isolation ?? null);
  const request: AgentRequest = {
    run: context.run,
    task: id,
    role: plan.role,
    attempt: plan.n,
    round: plan.round,
    idempotencyKey: call.idempotencyKey,
    prompt: prompt.text,
    system: '',
    mode: 'edit',
    hasAmbient,
    withheld: hasAmbient ? [] : [workshop.folders.root],
    tier: plan.tier,
    model: plan.model,
    limits: { ...(limits ?? defaultLimits), wallMs: attemptTimeoutMs },
    prices,
    mcpServers,
    // A retry starts a new conversation: its prompt says what went wrong.
    resume: null,
    cwd: plan.path,
    env: { ...environmentOf(flow, plan), ...agentIdentity(context.run, flow.slug) },
    mark: attemptMark(context.run, flow.slug, plan.n),
    scratch,
    config,
    signal: AbortSignal.any([flow.stop, context.lost]),
  };
  await enterWorktree(flow, plan, call);
  const before = await lookAround(flow, plan);
  const since = processClock();
  const workflow = workflowOf(flow);
  const end =
    workflow === null
      ? await playAgent(driver, request, doors)
      : await leadAgent(flow, plan, workflow, { driver, request, doors, contracts });
  doors.close();
  if (doors.told.length > 0)
    call.emit({ type: 'attempt.told', step: id, attempt: plan.n, data: { clashes: [...doors.told] } });
  const strays = await endStrays([plan.path, scratchOf(flow)], since);
  const outcome = end.outcome === 'cancelled' ? 'interrupted' : end.outcome;
  const notes = doors.notes === '' ? null : context.keep(doors.notes);
  const handoff = doors.handoff === null ? null : context.keep(`${JSON.stringify(doors.handoff, null, 2)}\n`);
  const incidents = [
    ...doors.incidents,
    ...strays.map(leftBehind),
    ...(await conductSince(flow, plan, before)),
  ];
  return {
    outcome,
    reason: end.reason,
    handoff,
    notes,
    ...(handoff === null ? {} : { form: doors.form }),
    ...(incidents.length > 0 ? { incidents } : {}),
  };
}

function leftBehind({ pid, name, evidence }: Stray): Incident {
  const detail = `it left daemon ${pid} (${name}) behind, found by ${evidence}; it was ended`;
  return { kind: 'left-processes', detail, isBlocking: false };
}

/** Not for gates: what they run may check the committer. */
function agentIdentity(run: string, slug: string): Record<string, string> {
  return { GIT_COMMITTER_NAME: `Agent of task ${slug}`, GIT_COMMITTER_EMAIL: agentAddress(run, slug) };
}
