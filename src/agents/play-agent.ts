import { redactValue } from '#lib/redact.ts';
import { allowedEnvironment, isNamed } from '#process/allowed-environment.ts';
import { takeRefusals } from '#process/refusals.ts';
import type { AgentLimits } from '#schema/agent.ts';
import { environmentFault } from '#schema/environment-fault.ts';
import { isJoineryError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { Usage } from '#schema/run.ts';
import type { AgentDoors, AgentDriver, AgentEnd, AgentEvent, AgentRequest } from './driver.ts';
import { pricedUsage } from './ledger/prices.ts';
import { reachesWithheld } from './programs/withheld.ts';
import { saneEvent } from './stream/bound-events.ts';
import { redactEvent, redactor } from './stream/redact.ts';

/** Longest timer that works, about 25 days: a longer one fires at once. */
const longestMs = 2 ** 31 - 1;

const longestReason = 500;

/** At most this many refusals are listed. */
const namedDenials = 3;

/**
 * The only way to run an agent: with the variables it may see, within its limits, and with an outcome that was checked
 * against the folder. Drivers obey one signal; this function decides which limit was exceeded.
 */
export async function playAgent(
  driver: AgentDriver,
  request: AgentRequest,
  doors: AgentDoors,
): Promise<AgentEnd> {
  const watch = new Watch(request, driver.name);
  const denials: string[] = [];
  const letIn = [...driver.variables, ...request.config.env];
  const env = allowedEnvironment(request.env, letIn);
  const redact = redactor({ ...request, env }, (name) => isNamed(name, letIn));
  const report = (raw: AgentEvent) => {
    const event = saneEvent(redactEvent(raw, redact));
    if (raw.type === 'tool' && raw.status === 'begun' && reachesWithheld(request, raw.detail)) {
      const what = `it reached for what is kept from it (${redact(`${raw.tool}: ${raw.detail}`)})`;
      doors.report(
        saneEvent({ type: 'incident', kind: 'read-withheld', detail: what.slice(0, longestReason) }),
      );
    }
    if (event.type === 'permission' && event.decision === 'denied' && denials.length < namedDenials)
      denials.push(`${event.tool} ${event.detail}`.trim());
    doors.report(event);
    watch.see(event);
  };
  try {
    const end = await driver
      .play(
        {
          ...request,
          env,
          // An MCP tool may write anything anywhere, and no sandbox contains it.
          mcpServers: request.mode === 'read' ? {} : request.mcpServers,
          signal: AbortSignal.any([request.signal, watch.signal]),
        },
        {
          report,
          submit: (raw) => doors.submit(redactValue(raw, redact)),
          hasChanged: () => doors.hasChanged(),
        },
      )
      .catch((error: Error): AgentEnd => {
        // A full disk, no file descriptor, a killed guard: the failure says nothing about the agent.
        const fault = isJoineryError(error) ? error : environmentFault(error);
        if (fault?.exitCode === exitCodes.environment && !request.signal.aborted) throw fault;
        return { outcome: 'crashed', reason: error.message };
      })
      .then(({ outcome, reason }): AgentEnd => ({ outcome, reason: redact(reason).slice(0, longestReason) }));
    for (const detail of takeRefusals(env))
      doors.report(saneEvent({ type: 'incident', kind: 'tried-to-decide', detail: redact(detail) }));
    if (request.signal.aborted) return { outcome: 'cancelled', reason: end.reason };
    const own = end.outcome === 'cancelled' ? (watch.broken ?? end) : end;
    return await confirm(own, request, denials, doors);
  } finally {
    watch.end();
  }
}

/** Compares the agent's own outcome with the state of the folder. */
async function confirm(
  end: AgentEnd,
  { mode }: AgentRequest,
  denials: readonly string[],
  doors: AgentDoors,
): Promise<AgentEnd> {
  if (mode === 'read') {
    return (await doors.hasChanged())
      ? { outcome: 'crashed', reason: 'it may only read and has changed files' }
      : end;
  }
  if (end.outcome !== 'ok' || denials.length === 0 || (await doors.hasChanged())) return end;
  return {
    outcome: 'denied',
    reason: `nothing was changed; it was denied ${denials.join('; ')}`,
  };
}

/** Time, silence and spending of one attempt. */
class Watch {
  readonly #agent: string;
  readonly #limits: AgentLimits;
  readonly #stop = new AbortController();
  readonly #wall: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  readonly #openTools = new Set<string>();
  #turns = 0;
  #tokens = 0;
  #usd = 0;
  /** Estimated from the price of the model, until the agent reports its cost. */
  #estimatedUsd = 0;
  #model: string | null;
  readonly #prices: AgentRequest['prices'];
  #lastRetry = '';
  broken: AgentEnd | null = null;

  constructor({ limits, model, prices }: AgentRequest, agent: string) {
    this.#agent = agent;
    this.#limits = limits;
    this.#model = model;
    this.#prices = prices;
    this.#wall = setTimeout(
      () => this.#break('timeout', `no end within ${seconds(limits.wallMs)}`),
      Math.min(limits.wallMs, longestMs),
    );
    this.#silence = this.#listen();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  see(event: AgentEvent): void {
    switch (event.type) {
      case 'retry':
        this.#lastRetry = event.reason;
        // A login that is refused now will also be refused at the tenth retry, minutes later.
        if (event.isLoginRefused) this.#break('api_error', notLetIn(this.#agent, event.reason));
        return;
      case 'tool':
        if (event.call !== null && event.status === 'begun') this.#openTools.add(event.call);
        if (event.call !== null && event.status === 'ended') this.#openTools.delete(event.call);
        break;
      case 'turn':
        this.#turns += 1;
        this.#atMost('turns', this.#turns);
        break;
      case 'usage':
        this.#tokens += event.usage.in + event.usage.out;
        this.#pay(event.usage);
        this.#atMost('tokens', this.#tokens);
        this.#atMost('usd', this.#usd + this.#estimatedUsd);
        break;
      case 'started':
        this.#model = event.model ?? this.#model;
        break;
      case 'text':
      case 'alive':
      case 'permission':
      case 'incident':
        break;
      default:
        event satisfies never;
    }
    clearTimeout(this.#silence);
    this.#silence = this.#listen();
  }

  end(): void {
    clearTimeout(this.#wall);
    clearTimeout(this.#silence);
  }

  #pay(usage: Usage): void {
    const { basis, usd } = pricedUsage(usage, this.#model, this.#prices);
    if (basis === 'reported') {
      this.#usd += usd;
      if (usd > 0) this.#estimatedUsd = 0;
    } else this.#estimatedUsd += usd;
  }

  /** Exceeding the limit breaks it; a model that ends on its last allowed turn is fine. */
  #atMost(name: 'turns' | 'tokens' | 'usd', value: number): void {
    const limit = this.#limits[name];
    if (limit !== null && value > limit) this.#break('limit', `more than ${limit} ${name}`);
  }

  #listen(): NodeJS.Timeout {
    const { inactivityMs } = this.#limits;
    return setTimeout(
      () => {
        // A running tool may be silent for as long as it takes; the wall clock still counts.
        if (this.#openTools.size > 0) return;
        const why = this.#lastRetry === '' ? '' : `, last retry: ${this.#lastRetry}`;
        this.#break('timeout', `silent for ${seconds(inactivityMs)}${why}`);
      },
      Math.min(inactivityMs, longestMs),
    );
  }

  #break(outcome: 'timeout' | 'limit' | 'api_error', reason: string): void {
    this.broken ??= { outcome, reason };
    this.#stop.abort(reason);
  }
}

/** How to log in to each agent. */
const logins: Readonly<Record<string, string>> = { claude: 'claude, then /login', codex: 'codex login' };

function notLetIn(agent: string, reason: string): string {
  const login = logins[agent] ?? 'see its documentation';
  return `its login is refused (${reason}); log in: ${login}, or check the key it is given`;
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
}
