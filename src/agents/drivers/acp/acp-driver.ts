import { ZodError } from 'zod';
import type { AgentDoors, AgentDriver, AgentEnd, AgentRequest } from '#agents/driver.ts';
import { demandAgent } from '#agents/programs/locate-agent.ts';
import { type AgentHabits, containedStart, demandSandbox } from '#agents/programs/sandbox.ts';
import { incidentsOf } from '#agents/stream/command-line.ts';
import { askAgain, readHandoffBlock } from '#agents/stream/handoff-block.ts';
import { machineFault } from '#agents/stream/machine-fault.ts';
import { type Guarded, type GuardedEnd, startGuarded } from '#process/start-guarded.ts';
import type { AcpAgent } from './agents.ts';
import { endOf, failureOf } from './end.ts';
import { exportedUsage } from './exported-usage.ts';
import { JsonRpc, methodNotFound, RpcError } from './json-rpc.ts';
import { openSession } from './open-session.ts';
import { Announcements, rule } from './permission.ts';
import {
  InitializeResult,
  PermissionRequest,
  PromptResult,
  protocolVersion,
  SessionNotification,
  SessionUpdate,
} from './protocol.ts';
import { Transcript } from './transcript.ts';
import { Meter, readChunkMeta, readQuota, readUsage, withCost } from './usage.ts';

/** After a cancel or the end of its input, an agent has this long to exit before it is killed. */
const graceMs = 3_000;
const errorTail = 20_000;

/** Drives any agent that speaks the Agent Client Protocol. The peculiarities of each agent are in its row of the table. */
export function acpDriver(agent: AcpAgent): AgentDriver {
  return {
    name: agent.name,
    ...(agent.withoutAmbient === null ? {} : { ambient: 'none' }),
    variables: agent.variables,
    demand: (config) => {
      demandAgent(agent.name, agent.pinned, config, process.env);
      demandSandbox(config, habitsOf(agent));
    },
    async play(request, doors) {
      if (request.signal.aborted) return { outcome: 'cancelled', reason: '' };
      const program = demandAgent(agent.name, agent.pinned, request.config, process.env);
      return new Conversation(agent, program, request, doors).play();
    },
  };
}

function habitsOf({ name, keeps }: AcpAgent): AgentHabits {
  return { name, keeps, hasOwnSandbox: false };
}

class Conversation {
  readonly #agent: AcpAgent;
  readonly #program: string;
  readonly #request: AgentRequest;
  readonly #doors: AgentDoors;
  readonly #process: Guarded;
  readonly #rpc: JsonRpc;
  readonly #transcript: Transcript;
  readonly #announced = new Announcements();
  readonly #cost: Meter;
  #session: string | null = null;
  #errors = '';
  #spentTokens = 0;
  /** Whether the agent has said something whose cost it has not reported yet. */
  #isUnpaid = false;
  /** The last reported cost, held back: the tokens reported next belong to it and must not be priced again. */
  #heldUsd = 0;

  constructor(agent: AcpAgent, program: string, request: AgentRequest, doors: AgentDoors) {
    this.#agent = agent;
    this.#program = program;
    this.#request = request;
    this.#doors = doors;
    this.#transcript = new Transcript((event) => doors.report(event));
    this.#cost = new Meter(request.resume?.spent.usd);
    this.#process = startGuarded({
      ...containedStart([program, ...agent.args(request), ...request.config.args], request, habitsOf(agent)),
      cwd: request.cwd,
      env: this.#env,
      mark: request.mark,
      hasInput: true,
      memoryBytes: request.config.memoryBytes,
    });
    const { stdin, stdout, stderr } = this.#process;
    if (!stdin) throw new Error('an agent without an input');
    stderr.on('data', (chunk: Buffer) => this.#complain(chunk.toString('utf8')));
    this.#rpc = new JsonRpc(stdout, stdin, {
      request: (method, params) => this.#answer(method, params),
      notification: (method, params) => this.#hear(method, params),
      noise: (line) => this.#complain(`${line}\n`),
    });
    void this.#process.ended.then((end) => this.#rpc.close(new AgentGone(end)));
  }

  get #env(): Record<string, string> {
    const request = this.#request;
    const { withoutAmbient } = this.#agent;
    return {
      ...request.env,
      ...this.#agent.env(request),
      ...(request.hasAmbient === false ? (withoutAmbient?.(request) ?? {}) : {}),
    };
  }

  async play(): Promise<AgentEnd> {
    const cancel = () => this.#cancel();
    this.#request.signal.addEventListener('abort', cancel, { once: true });
    const end = await this.#talk().catch((error: unknown) => this.#failure(error));
    this.#transcript.end();
    this.#request.signal.removeEventListener('abort', cancel);
    await this.#leave();
    await this.#settle();
    this.#payHeld();
    return this.#request.signal.aborted ? { outcome: 'cancelled', reason: end.reason } : end;
  }

  async #talk(): Promise<AgentEnd> {
    const hello = InitializeResult.parse(
      await this.#rpc.request('initialize', {
        protocolVersion,
        // The agent's own tools are enough, and ours would be a way to write that its own rules do not restrict.
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'joinery', title: 'Joinery', version: '0' },
      }),
    );
    if (hello.protocolVersion !== protocolVersion)
      return {
        outcome: 'crashed',
        reason: `it speaks version ${hello.protocolVersion} of the protocol, we speak 1`,
      };
    const opened = await openSession(this.#rpc, this.#agent, this.#request, hello);
    this.#session = opened.session;
    this.#doors.report({
      type: 'started',
      session: opened.session,
      version: hello.agentInfo?.version ?? null,
      model: opened.model,
    });
    const { system, prompt } = this.#request;
    const end = await this.#ask([...(system === '' ? [] : [system]), prompt]);
    if (end.outcome === 'ok') await this.#handIn();
    return end;
  }

  /** The work is done at this point: a handoff that cannot be repaired does not undo it. */
  async #handIn(): Promise<void> {
    const answer = this.#doors.submit(readHandoffBlock(this.#transcript.said) ?? undefined);
    if (answer.accepted || answer.isFinal) return;
    const again = await this.#ask([askAgain(answer)]).catch(() => null);
    if (again?.outcome === 'ok') await this.#handIn();
  }

  async #ask(texts: readonly string[]): Promise<AgentEnd> {
    this.#transcript.said = '';
    this.#isUnpaid = false;
    const before = this.#spentTokens;
    const result = PromptResult.parse(
      await this.#rpc.request('session/prompt', {
        sessionId: this.#session,
        prompt: texts.map((text) => ({ type: 'text', text })),
      }),
    );
    this.#transcript.end();
    if (this.#agent.usage === 'prompt' && result.usage) this.#spend([readUsage(result.usage)]);
    if (this.#agent.usage === 'quota') this.#spend(readQuota(result._meta));
    const end = endOf(result.stopReason);
    if (end.outcome !== 'ok') return end;
    // If the model cannot be reached, the agent says nothing and the prompt still ends successfully.
    const { said, toolCount } = this.#transcript;
    const isSilent = toolCount === 0 && said.trim() === '' && this.#spentTokens === before;
    if (isSilent) return { outcome: 'api_error', reason: 'no answer of the model' };
    // An agent that reports a cost after each complete answer, but not after this one, gave an incomplete answer.
    const isBroken = this.#agent.usage === 'chunk' && this.#isUnpaid && this.#spentTokens > 0;
    return isBroken ? { outcome: 'api_error', reason: 'the last answer of the model broke off' } : end;
  }

  #hear(method: string, params: unknown): void {
    const { data: message } = SessionNotification.safeParse(params);
    if (method !== 'session/update' || !message || message.sessionId !== this.#session) return;
    const { data: update } = SessionUpdate.safeParse(message.update);
    if (!update) return;
    if (update.sessionUpdate === 'usage_update') this.#pay(update.cost ?? null);
    else if (update.sessionUpdate === 'agent_message_chunk' && this.#agent.usage === 'chunk') {
      const usage = readChunkMeta(update._meta);
      if (usage) this.#spend([usage]);
      this.#isUnpaid = !usage && (this.#isUnpaid || Boolean(update.content?.text));
    } else if ('toolCallId' in update) this.#announced.see(update);
    this.#transcript.add(update);
  }

  /** We offer no capability except answering permission requests; agents request others anyway. */
  #answer(method: string, params: unknown): unknown {
    if (method !== 'session/request_permission')
      throw new RpcError(methodNotFound, `there is no ${method} here`);
    const { data: asked } = PermissionRequest.safeParse(params);
    if (!asked || this.#request.signal.aborted) return { outcome: { outcome: 'cancelled' } };
    const toolCall = this.#announced.complete(asked.toolCall);
    const { toolCallId, kind, title, locations } = toolCall;
    const tool = kind ?? 'tool';
    const detail = title ?? locations?.[0]?.path ?? '';
    const { decision, answer } = rule({ ...asked, toolCall }, this.#request.mode, this.#request.cwd);
    if (decision === 'allowed') this.#transcript.expect(toolCallId, tool, detail);
    this.#doors.report({ type: 'permission', tool, detail, decision });
    return { outcome: answer };
  }

  #pay(cost: { amount: number; currency: string } | null): void {
    // With `export`, the cost is read together with the exact tokens afterwards.
    if (cost?.currency !== 'USD' || this.#agent.usage === 'export') return;
    const usd = this.#cost.add(cost.amount);
    if (usd <= 0) return;
    this.#payHeld();
    this.#heldUsd = usd;
  }

  #payHeld(): void {
    const usd = this.#heldUsd;
    this.#heldUsd = 0;
    if (usd > 0) this.#doors.report({ type: 'usage', usage: { in: 0, out: 0, usd } });
  }

  #spend(usages: ReturnType<typeof readQuota>): void {
    const spent = usages.filter((usage) => usage.in + usage.out > 0 || usage.usd > 0);
    for (const usage of withCost(spent, this.#heldUsd)) {
      this.#spentTokens += usage.in + usage.out;
      this.#doors.report({ type: 'usage', usage });
    }
    if (spent.length > 0) this.#heldUsd = 0;
  }

  /** Reads the usage that was not reported during the session, also of a failed session. */
  async #settle(): Promise<void> {
    if (this.#agent.usage !== 'export' || this.#session === null) return;
    const spent = await exportedUsage(
      { ...this.#request, env: this.#env, program: this.#program },
      this.#session,
    );
    this.#spend(spent);
  }

  #complain(text: string): void {
    this.#errors = (this.#errors + text).slice(-errorTail);
  }

  #failure(error: unknown): AgentEnd {
    if (error instanceof RpcError) return failureOf(error);
    if (error instanceof AgentGone) {
      const fault = this.#request.signal.aborted ? null : machineFault(this.#agent.name, error.end);
      if (fault) throw fault;
      const said = lastLine(this.#errors);
      return { outcome: 'crashed', reason: `${error.message}${said === '' ? '' : `: ${said}`}` };
    }
    const what = error instanceof ZodError ? issueOf(error) : (error as Error).message;
    return { outcome: 'crashed', reason: `it did not keep to the protocol: ${what}` };
  }

  #cancel(): void {
    if (this.#session !== null) this.#rpc.notify('session/cancel', { sessionId: this.#session });
    const timer = setTimeout(() => this.#process.kill(), this.#session === null ? 0 : graceMs);
    void this.#process.ended.then(() => clearTimeout(timer));
  }

  /** Closing its input tells an agent to exit; otherwise it is killed, with everything it started. */
  async #leave(): Promise<void> {
    this.#process.stdin?.end();
    let isEnded = this.#request.signal.aborted;
    const timer = setTimeout(() => {
      isEnded = true;
      this.#process.kill();
    }, graceMs);
    const end = await this.#process.ended;
    clearTimeout(timer);
    // Processes that were running when we killed the agent were not left behind by it.
    if (!isEnded) for (const incident of incidentsOf(end)) this.#doors.report(incident);
  }
}

/** The program exited while a request was pending. */
class AgentGone extends Error {
  readonly end: GuardedEnd;

  constructor(end: GuardedEnd) {
    super(
      end.how === 'not-started'
        ? `it cannot be started: ${end.reason}`
        : `it ended in the middle (${end.signal ?? `exit code ${end.code}`})`,
    );
    this.end = end;
  }
}

function issueOf({ issues: [issue] }: ZodError): string {
  return `${issue?.path.join('.')}: ${issue?.message}`;
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
