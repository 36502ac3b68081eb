import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '#agents/driver.ts';
import { pricedUsage } from '#agents/ledger/prices.ts';
import { Tally } from '#agents/ledger/tally.ts';
import { openDriver } from '#agents/open-driver.ts';
import { playAgent } from '#agents/play-agent.ts';
import type { Config } from '#config/settings.ts';
import { taskEnvironment } from '#crew/task/environment.ts';
import { checkOutPlain, type PlainCheckout } from '#git/plain-checkout.ts';
import type { Repository } from '#git/repository.ts';
import { createScratch, isAlive, type Scratch } from '#git/scratch.ts';
import type { Consult, Question, Reply } from '#planning/answers/consult.ts';
import { AgentConfig } from '#schema/agent.ts';
import type { Scenario } from '#schema/scenario.ts';

export interface ConsultOptions {
  readonly repository: Repository;
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  /** Folder of ours for what an agent needs while it works. */
  readonly folder: string;
  /** Who is asked. */
  readonly agent: string;
  readonly scenario: Scenario | null;
  /** Tree of the base commit: what those who may look at code see. */
  readonly tree: string;
  readonly signal: AbortSignal;
  report(question: Question, event: AgentEvent): void;
}

export interface Consultant {
  readonly consult: Consult;
  /** Lets an agent change files, in a folder that the caller has made for it. */
  work(question: Omit<Question, 'place'>, folder: WorkFolder): Promise<Reply>;
  close(): Promise<void>;
}

interface WorkFolder {
  readonly path: string;
  /** Whether it still holds exactly the files it was given. */
  isUntouched(): Promise<boolean>;
}

/** Of an answer that does not end, only the last of it is kept. */
const longestAnswer = 8 * 1024 * 1024;

/** Opens the one way in which planning talks to agents. Unless they are given work, they may look and not change. */
export function openConsultant(options: ConsultOptions): Consultant {
  const { agent, config, scenario } = options;
  const driver = openDriver(agent, { scenario, agents: config.agents });
  const own = config.agents[agent] ?? AgentConfig.parse({});
  driver.demand?.(own);
  mkdirSync(options.folder, { recursive: true });
  removeAbandoned(options.folder);
  const root = mkdtempSync(join(options.folder, `${prefix}${process.pid}-`));
  let scratch: Scratch | null = null;
  let code: PlainCheckout | null = null;

  const place = async ({ role, n, place: wanted }: Question): Promise<PlainCheckout> => {
    if (wanted === 'nowhere') return emptyFolder(join(root, `${role}-${n}`));
    scratch ??= await createScratch(options.repository, join(root, 'objects'));
    code ??= await checkOutPlain(scratch, options.tree, join(root, 'code'));
    return code;
  };

  return {
    consult: async (question) => ask(question, 'read', await place(question)),
    work: (question, folder) => ask({ ...question, place: 'code' }, 'edit', folder),
    async close() {
      await scratch?.remove();
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };

  async function ask(question: Question, mode: 'read' | 'edit', folder: WorkFolder): Promise<Reply> {
    const { role, n, prompt, tier } = question;
    const outside = join(root, `${role}-${n}-own`);
    for (const folder of ['tmp', 'cache', 'agent']) mkdirSync(join(outside, folder), { recursive: true });
    const mark = `plan-${process.pid}/${role}/${n}`;
    const tally = new Tally();
    let model = own.models[tier] ?? null;
    let text = '';
    const began = performance.now();
    const end = await playAgent(
      driver,
      {
        run: 'plan',
        task: 'plan',
        role,
        attempt: n,
        round: n,
        idempotencyKey: mark,
        prompt: prompt.text,
        system: '',
        mode,
        tier,
        model,
        limits: limitsOf(config),
        prices: config.prices,
        mcpServers: {},
        resume: null,
        cwd: folder.path,
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
          if (event.type === 'text') text = `${text}${event.text}\n`.slice(-longestAnswer);
          if (event.type === 'usage') tally.add(pricedUsage(event.usage, model, config.prices));
          options.report(question, event);
        },
        // It was asked for an answer, not for a claim.
        submit: () => ({ accepted: true }),
        hasChanged: async () => !(await folder.isUntouched()),
      },
    );
    return {
      outcome: end.outcome,
      reason: end.reason,
      text,
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
}

const prefix = 'ask-';

/** A killed process leaves its folder behind. */
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

/** Who must not know where things come from is not told where ours lie. */
function environmentFor({ place }: Question, env: Readonly<Record<string, string>>): Record<string, string> {
  const isOurs = (name: string) => /^JOINERY_(?!ATTEMPT$)/.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => place === 'code' || !isOurs(name)));
}

/** A place without anything to look at. */
function emptyFolder(path: string): PlainCheckout {
  mkdirSync(path, { recursive: true });
  return { path, isUntouched: async () => readdirSync(path).length === 0 };
}
