import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deskNote, deskOf, judgedFolder, withoutDesk } from '#agents/desk.ts';
import type { AgentDriver, AgentEnd, AgentEvent } from '#agents/driver.ts';
import { pricedUsage } from '#agents/ledger/prices.ts';
import { Tally } from '#agents/ledger/tally.ts';
import { openDriver } from '#agents/open-driver.ts';
import { playAgent } from '#agents/play-agent.ts';
import type { Role } from '#agents/prompt/roles.ts';
import type { Config } from '#config/settings.ts';
import { taskEnvironment } from '#crew/task/place/environment.ts';
import type { Repository } from '#git/call/repository.ts';
import { createScratch, isAlive, type Scratch } from '#git/objects/scratch.ts';
import { checkOutPlain, type PlainCheckout } from '#git/worktrees/plain-checkout.ts';
import type { Consult, Question, Reply } from '#planning/answers/consult.ts';
import { AgentConfig } from '#schema/agent.ts';
import { EnvironmentError } from '#schema/errors.ts';
import type { Scenario } from '#schema/scenario.ts';

export interface ConsultOptions {
  readonly repository: Repository;
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  /** Joinery's folder for what an agent needs while it works. */
  readonly folder: string;
  /** Must be installed before any agent is asked. */
  readonly agent: string;
  agentOf(role: Role): string;
  readonly model?: string | undefined;
  readonly scenario: Scenario | null;
  /** Tree of the base commit, for agents that may read code. */
  readonly tree: string;
  readonly signal: AbortSignal;
  report(question: Question, event: AgentEvent): void;
}

export interface Consultant {
  readonly consult: Consult;
  /** Lets an agent change files in a folder that the caller made for it. */
  work(question: Omit<Question, 'place'>, folder: WorkFolder): Promise<Reply>;
  close(): Promise<void>;
}

interface WorkFolder {
  /** At a desk: its parent holds nothing else. */
  readonly path: string;
  /** Whether the folder still contains exactly the files the agent received. */
  isUntouched(): Promise<boolean>;
}

/** Only the end of a longer answer is kept. */
const longestAnswer = 8 * 1024 * 1024;

/** Opens the single channel between planning and agents. Agents may read and not change, except in `work`. */
export function openConsultant(options: ConsultOptions): Consultant {
  const { config, scenario } = options;
  const seats = new Map<string, Seat>();
  const seatOf = (agent: string): Seat => {
    const known = seats.get(agent) ?? seatFor(agent, config, scenario);
    seats.set(agent, known);
    return known;
  };
  seatOf(options.agent);
  mkdirSync(options.folder, { recursive: true });
  removeAbandoned(options.folder);
  const root = mkdtempSync(join(options.folder, `${prefix}${process.pid}-`));
  let scratch: Promise<Scratch> | null = null;
  const checkouts = new Map<string, Promise<PlainCheckout>>();

  const agentFor = ({ role, seat }: Question) => seatOf(seat?.agent ?? options.agentOf(role));
  const place = async ({ role, n, place: wanted, seat }: Question): Promise<PlainCheckout> => {
    if (wanted === 'nowhere') return emptyFolder(join(root, `${role}-${n}`));
    scratch ??= createScratch(options.repository, join(root, 'objects'));
    const name = seat === undefined ? 'code' : `code-${seat.name}`;
    const known =
      checkouts.get(name) ?? checkOutPlain(await scratch, options.tree, join(root, name, judgedFolder));
    checkouts.set(name, known);
    return known;
  };

  return {
    consult: async (question) =>
      ask(options, agentFor(question), root, question, { mode: 'read', folder: await place(question) }),
    work: async (question, folder) => {
      const whole = { ...question, place: 'code' as const };
      return ask(options, agentFor(whole), root, whole, { mode: 'edit', folder });
    },
    async close() {
      await (await scratch)?.remove();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** An agent that can be asked. */
interface Seat {
  readonly agent: string;
  readonly driver: AgentDriver;
  readonly own: AgentConfig;
}

/** Throws when there is no such agent, its program is not installed, or it may not judge. */
export function seatFor(agent: string, config: Config, scenario: Scenario | null): Seat {
  const driver = openDriver(agent, { scenario, agents: config.agents });
  const own = config.agents[agent] ?? AgentConfig.parse({});
  driver.demand?.(own);
  if ((driver.ambient ?? own.ambient) !== 'none')
    throw new EnvironmentError({
      code: 'may-not-judge',
      message: `${agent} may not be asked for a judgement: nobody has shown that files of the judged work cannot configure or instruct it`,
      hint: `name another agent, or vouch for it: agents.${agent}.ambient: "none"`,
    });
  return { agent, driver, own };
}

/** One question to one agent, and its answer with what it cost. `root` holds the agent's own folders. */
async function ask(
  options: ConsultOptions,
  { agent, driver, own }: Seat,
  root: string,
  question: Question,
  { mode, folder }: { readonly mode: 'read' | 'edit'; readonly folder: WorkFolder },
): Promise<Reply> {
  const { config } = options;
  const { role, n, prompt, tier, seat, wallMs } = question;
  const who = seat === undefined ? role : `${role}-${seat.name}`;
  const outside = join(root, `${who}-${n}-own`);
  for (const name of ['tmp', 'cache', 'agent']) mkdirSync(join(outside, name), { recursive: true });
  const mark = `plan-${process.pid}/${who}/${n}`;
  const tally = new Tally();
  let model = seat?.model ?? options.model ?? own.models[tier] ?? null;
  let text = '';
  let curiosity: string | null = null;
  const began = performance.now();
  const played = await playAgent(
    driver,
    {
      run: 'plan',
      task: seat?.name ?? 'plan',
      role,
      attempt: n,
      round: n,
      idempotencyKey: mark,
      prompt: prompt.text,
      system: question.place === 'nowhere' ? '' : deskNote,
      mode,
      hasAmbient: false,
      tier,
      model,
      limits: { ...limitsOf(config), ...(wallMs === undefined ? {} : { wallMs: Math.ceil(wallMs) }) },
      prices: config.prices,
      mcpServers: {},
      resume: null,
      ...(question.place === 'nowhere'
        ? { cwd: folder.path }
        : { cwd: deskOf(folder.path), tree: folder.path }),
      // Agents asked at the same time work in folders beside it, and the leftovers of runs are above them.
      withheld: [dirname(options.folder)],
      env: environmentFor(
        question,
        taskEnvironment(
          { run: 'plan', task: 'plan', slug: 'plan', mark, scratch: outside, ports: [0, 0] },
          options.env,
        ),
      ),
      mark,
      scratch: join(outside, 'agent'),
      config: own,
      signal: options.signal,
    },
    {
      report(event) {
        if (event.type === 'started') model = event.model ?? model;
        if (event.type === 'incident' && event.kind === 'read-withheld') curiosity ??= event.detail;
        if (event.type === 'text') text = `${text}${event.text}\n`.slice(-longestAnswer);
        if (event.type === 'usage') tally.add(pricedUsage(event.usage, model, config.prices));
        options.report(question, event);
      },
      // The agent has to answer; there is no handoff.
      submit: () => ({ accepted: true }),
      hasChanged: async () => !(await folder.isUntouched()),
    },
  );
  // An answer that may copy another agent's is not independent, so it does not count.
  const end: AgentEnd = curiosity === null ? played : { outcome: 'crashed', reason: curiosity };
  return {
    outcome: end.outcome,
    reason: end.reason,
    text: question.place === 'nowhere' ? text : withoutDesk(text, folder.path),
    consultation: {
      role,
      n,
      agent,
      model,
      outcome: end.outcome,
      reason: end.reason,
      promptSha256: prompt.sha256,
      promptBytes: Buffer.byteLength(prompt.text),
      dropped: [...prompt.dropped],
      in: tally.usage.in,
      out: tally.usage.out,
      usd: tally.usage.usd,
      ms: Math.round(performance.now() - began),
    },
  };
}

const prefix = 'ask-';

/** Removes folders that killed processes left behind. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix) && !isAlive(Number(name.split('-')[1])))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function limitsOf({ run }: Config) {
  return {
    wallMs: Math.ceil(run.attemptMinutes * 60_000),
    inactivityMs: Math.ceil(run.inactivityMinutes * 60_000),
    turns: run.attemptTurns ?? null,
    tokens: run.attemptTokens ?? null,
    usd: run.attemptUsd ?? null,
  };
}

/** An agent that must not know where the document comes from does not learn Joinery's paths either. */
function environmentFor({ place }: Question, env: Readonly<Record<string, string>>): Record<string, string> {
  const isOurs = (name: string) => /^JOINERY_(?!ATTEMPT$)/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => place === 'code' || !isOurs(name)));
}

/** A folder with nothing to read. */
function emptyFolder(path: string): PlainCheckout {
  mkdirSync(path, { recursive: true });
  return { path, isUntouched: async () => readdirSync(path).length === 0 };
}
