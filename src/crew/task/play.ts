import { lstatSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentDoors, AgentEvent, AgentRequest, HandoffAnswer } from '#agents/driver.ts';
import { type PricedUsage, pricedUsage } from '#agents/ledger/prices.ts';
import { playAgent } from '#agents/play-agent.ts';
import { assemblePrompt } from '#agents/prompt/assemble-prompt.ts';
import type { Prompt } from '#agents/prompt/fit-sections.ts';
import { EventBound } from '#agents/stream/bound-events.ts';
import { adviceAfter } from '#crew/state/classify.ts';
import { reportedUsage } from '#crew/state/ledger.ts';
import { attemptMark } from '#crew/state/names.ts';
import { countedAttempts, stepOf } from '#crew/state/state.ts';
import { treeOf } from '#git/branches.ts';
import { type HandoffContext, reviewHandoff } from '#handoff/review-handoff.ts';
import { AgentConfig } from '#schema/agent.ts';
import type { StepCall } from '#schema/durable-port.ts';
import type { EventDraft } from '#schema/event.ts';
import { Handoff } from '#schema/handoff.ts';
import { defaultLimits, type Incident, type Usage, usageBeyond } from '#schema/run.ts';
import { type AttemptPlan, environmentOf, type Played } from './attempt.ts';
import { conductSince, enterWorktree, lookAround } from './conduct.ts';
import { definitionsAt } from './definitions.ts';
import { gatesPromptFor } from './gate-attempt.ts';
import { readWork } from './read-work.ts';
import { agentScratch, type TaskFlow, tracesOf } from './run-task.ts';

const promptBytes = 200_000;
/** Notes are for people and successors; a runaway agent must not fill the log with them. */
const notesLength = 64_000;
const pieceLength = 50_000;

/** Lets the agent work, once: an attempt that was cut off is never taken up again, it is reported as interrupted. */
export async function playAttempt(flow: TaskFlow, plan: AttemptPlan): Promise<Played> {
  const { context, id } = flow;
  const { roles } = await definitionsAt(flow.premises.objects, flow.state.base);
  const roleText = roles.find(({ name }) => name === plan.role)?.text ?? '';
  const prompt = promptFor(flow, plan, roleText, await gatesPromptFor(flow));
  const sha256 = context.keep(prompt.text);
  const prompted: EventDraft<'attempt.prompted'> = {
    type: 'attempt.prompted',
    step: id,
    attempt: plan.n,
    data: {
      sha256,
      mode: 'full',
      bytes: Buffer.byteLength(prompt.text),
      included: [...prompt.included],
      dropped: [...prompt.dropped],
    },
  };
  const played = await context.step(
    `${id}/${plan.n}/play`,
    async (call) => {
      const played: Played = call.resumed ? cutOff(flow, plan, call) : await play(flow, plan, prompt, call);
      call.emit({ type: 'attempt.played', step: id, attempt: plan.n, data: played });
      return played;
    },
    [prompted],
  );
  // What was spent is in the log now; the traces it could be counted from again are not needed any more.
  await rm(tracesOf(flow, plan.n), { recursive: true, force: true });
  return played;
}

/** What the agent had spent when we died is in its own traces; what of it reached the log is not counted twice. */
function cutOff(flow: TaskFlow, plan: AttemptPlan, call: StepCall): Played {
  const { workshop, state, id } = flow;
  const total = workshop.driver(plan.driver).spentSoFar?.(tracesOf(flow, plan.n)) ?? null;
  const attempt = stepOf(state, id).attempts.at(-1);
  const rest = total && attempt ? usageBeyond(total, reportedUsage(attempt)) : null;
  if (rest) {
    const data = pricedUsage(rest, attempt?.model ?? null, state.settings.prices);
    call.progress({ type: 'attempt.spent', step: id, attempt: plan.n, data });
  }
  return {
    outcome: 'interrupted',
    reason: 'the process that drove it was cut off',
    handoff: null,
    notes: null,
  };
}

async function play(flow: TaskFlow, plan: AttemptPlan, prompt: Prompt, call: StepCall): Promise<Played> {
  const { context, workshop, id } = flow;
  const doors = new Doors(flow, plan, prompt, call);
  const driver = workshop.driver(plan.driver);
  const { attemptTimeoutMs, limits, prices } = flow.state.settings;
  const { agents, mcpServers } = workshop.agentSettings;
  const config = agents[plan.driver] ?? AgentConfig.parse({});
  const scratch = agentScratch(flow, plan.n);
  await mkdir(scratch, { recursive: true });
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
    tier: plan.tier,
    model: plan.model,
    limits: { ...(limits ?? defaultLimits), wallMs: attemptTimeoutMs },
    prices,
    mcpServers,
    // Another try starts with a fresh mind: its prompt tells what went wrong.
    resume: null,
    cwd: plan.path,
    env: environmentOf(flow, plan),
    mark: attemptMark(context.run, flow.slug, plan.n),
    scratch,
    config,
    signal: AbortSignal.any([flow.stop, context.lost]),
  };
  await enterWorktree(flow, plan, call);
  const before = await lookAround(flow, plan);
  const end = await playAgent(driver, request, doors);
  doors.close();
  const outcome = end.outcome === 'cancelled' ? 'interrupted' : end.outcome;
  const notes = doors.notes === '' ? null : context.keep(doors.notes);
  const handoff = doors.handoff === null ? null : context.keep(`${JSON.stringify(doors.handoff, null, 2)}\n`);
  const incidents = [...doors.incidents, ...(await conductSince(flow, plan, before))];
  return { outcome, reason: end.reason, handoff, notes, ...(incidents.length > 0 ? { incidents } : {}) };
}

class Doors implements AgentDoors {
  readonly #flow: TaskFlow;
  readonly #plan: AttemptPlan;
  readonly #call: StepCall;
  readonly #context: HandoffContext;
  #refusals = 0;
  /** What its tokens are priced by, until the agent says otherwise. */
  #model: string | null;
  readonly #bound = new EventBound();
  handoff: Handoff | null = null;
  notes = '';
  readonly incidents: Incident[] = [];

  constructor(flow: TaskFlow, plan: AttemptPlan, prompt: Prompt, call: StepCall) {
    this.#flow = flow;
    this.#model = plan.model;
    this.#plan = plan;
    this.#call = call;
    this.#context = {
      run: flow.context.run,
      step: flow.id,
      attempt: plan.n,
      role: plan.role,
      artifacts: artifactsOf(prompt),
      fileExists: (path) => isFile(plan.path, path),
    };
  }

  async hasChanged(): Promise<boolean> {
    const reading = await readWork(this.#flow, this.#plan, this.#plan.path);
    if (reading.status === 'unreadable') return true;
    return reading.tree !== (await treeOf(this.#flow.premises.objects.git, this.#plan.from));
  }

  report(event: AgentEvent): void {
    if (event.type === 'incident')
      this.incidents.push({ kind: event.kind, detail: event.detail, isBlocking: false });
    if (event.type === 'tool' && event.status === 'begun')
      this.#flow.siblings.see(this.#flow.id, event.tool, event.detail);
    if (event.type === 'text') this.notes = `${this.notes}${event.text}\n`.slice(-notesLength);
    if (event.type === 'started') this.#model = event.model ?? this.#model;
    this.#record(this.#bound.bound(event));
  }

  /** It reports nothing more. */
  close(): void {
    this.#record(this.#bound.rest());
  }

  #record(event: AgentEvent): void {
    const where = { step: this.#flow.id, attempt: this.#plan.n };
    const { prices } = this.#flow.state.settings;
    const priced = (usage: Usage) => pricedUsage(usage, this.#model, prices);
    for (const draft of toProgress(event, priced)) this.#call.progress({ ...draft, ...where });
  }

  submit(raw: unknown): HandoffAnswer {
    if (this.handoff)
      return refusal('A handoff was accepted already; there is exactly one per attempt.', true);
    if (this.#refusals >= 2) return refusal('No further handoff is accepted in this attempt.', true);
    const review = reviewHandoff(raw, this.#context);
    if (review.ok) {
      this.handoff = review.handoff;
      return { accepted: true };
    }
    this.#refusals += 1;
    const { problems, validSections, example } = review;
    this.#call.progress({
      type: 'handoff.refused',
      step: this.#flow.id,
      attempt: this.#plan.n,
      data: { problems: [...problems], validSections: [...validSections] },
    });
    const text = [
      'The handoff was not accepted:',
      ...problems.map((problem) => `- ${problem}`),
      'You may cite:',
      ...validSections.map((section) => `- ${section}`),
      'A handoff that would be accepted:',
      JSON.stringify(example),
    ].join('\n');
    return refusal(text, this.#refusals >= 2);
  }
}

function refusal(text: string, isFinal: boolean): HandoffAnswer {
  return { accepted: false, text, isFinal };
}

type Progress = EventDraft<
  | 'attempt.session'
  | 'attempt.said'
  | 'attempt.used'
  | 'attempt.permission'
  | 'attempt.retrying'
  | 'attempt.spent'
>;

function toProgress(event: AgentEvent, priced: (usage: Usage) => PricedUsage): Progress[] {
  switch (event.type) {
    case 'started':
      return [
        {
          type: 'attempt.session',
          data: { session: event.session, version: event.version, model: event.model },
        },
      ];
    case 'text':
      return pieces(event.text).map((text) => ({ type: 'attempt.said', data: { text } }));
    case 'tool':
      // The beginning of a call was reported; its end matters to the watchdog alone.
      if (event.call !== null && event.status === 'ended') return [];
      return [{ type: 'attempt.used', data: { tool: event.tool, detail: event.detail } }];
    case 'permission':
      return [
        {
          type: 'attempt.permission',
          data: { tool: event.tool, detail: event.detail, decision: event.decision },
        },
      ];
    case 'retry':
      return [{ type: 'attempt.retrying', data: { reason: event.reason, waitMs: event.waitMs } }];
    case 'alive':
      return [];
    case 'turn':
      return [{ type: 'attempt.spent', data: { in: 0, out: 0, usd: 0, turns: 1 } }];
    case 'incident':
      return [];
    case 'usage':
      return [{ type: 'attempt.spent', data: priced(event.usage) }];
  }
}

/** No event grows without bound, and nothing that was said is cut. */
function pieces(text: string): string[] {
  const count = Math.max(1, Math.ceil(text.length / pieceLength));
  return Array.from({ length: count }, (_, n) => text.slice(n * pieceLength, (n + 1) * pieceLength));
}

function promptFor(flow: TaskFlow, plan: AttemptPlan, roleText: string, gates: string): Prompt {
  const { state, id, context } = flow;
  const step = stepOf(state, id);
  const before = countedAttempts(step)
    .filter((attempt) => attempt.n < plan.n)
    .at(-1);
  return assemblePrompt(
    {
      run: context.run,
      role: plan.role,
      attempt: plan.n,
      task: step.task,
      roleText,
      contract: state.plan.contract,
      concerns: state.plan.concerns ?? [],
      branch: plan.branch,
      gates,
      findings: before
        ? [
            ...before.findings.map((finding) => finding.message),
            ...(before.failure ? adviceAfter(before.failure, before.kept !== null) : []),
          ]
        : [],
      context: step.context,
      dependencies: step.task.dependsOn.map((task) => ({ task, handoff: acceptedHandoff(flow, task) })),
      maxBytes: promptBytes,
    },
    'full',
  );
}

function acceptedHandoff(flow: TaskFlow, task: string): Handoff | null {
  const hash = stepOf(flow.state, task).attempts.at(-1)?.played?.handoff;
  const text = hash ? flow.workshop.engine.artifact(flow.context.run, hash) : null;
  return text === null ? null : Handoff.parse(JSON.parse(text));
}

function artifactsOf(prompt: Prompt): Map<string, string[]> {
  const artifacts = new Map<string, string[]>();
  for (const id of prompt.included) {
    const [artifact = '', section = ''] = id.split('#');
    artifacts.set(artifact, [...(artifacts.get(artifact) ?? []), section]);
  }
  return artifacts;
}

function isFile(root: string, path: string): boolean {
  if (path.startsWith('/') || path.includes('\0') || path.split(/[\\/]/).includes('..')) return false;
  return lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() ?? false;
}
