import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentDriver, AgentEvent } from '#agents/driver.ts';
import { pricedUsage } from '#agents/ledger/prices.ts';
import { Tally } from '#agents/ledger/tally.ts';
import { openDriver } from '#agents/open-driver.ts';
import { playAgent } from '#agents/play-agent.ts';
import { taskEnvironment } from '#crew/task/place/environment.ts';
import { Git } from '#git/call/git.ts';
import { visibleLine } from '#lib/visible.ts';
import { AgentConfig, type AgentSettings } from '#schema/agent.ts';
import type { TryReport } from '#schema/agents-report.ts';
import type { Scenario } from '#schema/scenario.ts';
import type { Price } from '#schema/spending.ts';

const file = 'hello.txt';
const line = 'hello from joinery';
const task = `Create the file ${file} in the current folder. Its only line is: ${line}
Change nothing else, and do not commit.
`;

/** Enough for any model to write one line. */
const limits = { inactivityMs: 120_000, turns: 20, tokens: 1_000_000, usd: 1 };

export interface Trial {
  readonly name: string;
  readonly config: AgentSettings & { readonly prices: Readonly<Record<string, Price>> };
  readonly env: NodeJS.ProcessEnv;
  readonly model: string | null;
  readonly wallMs: number;
  readonly signal: AbortSignal;
  report(event: AgentEvent): void;
}

/** Lets an agent do a two-line task in a temporary repository. */
export async function tryAgent(trial: Trial): Promise<TryReport> {
  const { name, config } = trial;
  const driver = openDriver(name, { scenario, agents: config.agents });
  const agentConfig = config.agents[name] ?? AgentConfig.parse({});
  driver.demand?.(agentConfig);
  const root = mkdtempSync(join(tmpdir(), 'joinery-try-'));
  try {
    return await play(trial, driver, agentConfig, root);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function play(trial: Trial, driver: AgentDriver, own: AgentConfig, root: string): Promise<TryReport> {
  const { name, config, env, model, wallMs, signal } = trial;
  const cwd = join(root, 'repository');
  const scratch = join(root, 'scratch');
  const git = await makeRepository(cwd);
  for (const folder of ['tmp', 'cache', 'agent']) mkdirSync(join(scratch, folder), { recursive: true });
  const mark = `try-${process.pid}/try/1`;
  const tally = new Tally();
  let started: Extract<AgentEvent, { type: 'started' }> | null = null;
  const changed = async () =>
    (await git.text(['status', '--porcelain', '-uall'])).split('\n').filter(Boolean);
  const began = performance.now();
  const end = await playAgent(
    driver,
    {
      run: 'try',
      task: 'try',
      role: 'developer',
      attempt: 1,
      round: 1,
      idempotencyKey: mark,
      prompt: task,
      system: '',
      mode: 'edit',
      tier: 'standard',
      model: model ?? own.models.standard ?? null,
      limits: { ...limits, wallMs },
      prices: config.prices,
      mcpServers: {},
      resume: null,
      cwd,
      env: taskEnvironment({ run: 'try', task: 'try', slug: 'try', mark, scratch, ports: [0, 0] }, env),
      mark,
      scratch: join(scratch, 'agent'),
      config: own,
      signal,
    },
    {
      report(event) {
        if (event.type === 'started') started = event;
        if (event.type === 'usage')
          tally.add(pricedUsage(event.usage, started?.model ?? model, config.prices));
        trial.report(event);
      },
      // The trial needs no handoff.
      submit: () => ({ accepted: true }),
      hasChanged: async () => (await changed()).length > 0,
    },
  );
  const paths = (await changed()).map((entry) => entry.slice(3));
  const session = started as Extract<AgentEvent, { type: 'started' }> | null;
  return {
    schema: 'joinery/agent-try@1',
    agent: name,
    outcome: end.outcome,
    reason: end.reason,
    isDone: end.outcome === 'ok' && paths.join() === file && contentOf(join(cwd, file)).trim() === line,
    version: session?.version ?? null,
    model: session?.model ?? model,
    session: session?.session ?? null,
    changed: paths,
    usage: tally.usage,
    ms: Math.round(performance.now() - began),
  };
}

/** What the scripted agent does in a trial. */
const scenario: Scenario = {
  schema: 'joinery/scenario@1',
  attempts: [{ task: 'try', do: [{ write: { path: file, content: `${line}\n` } }] }],
};

async function makeRepository(cwd: string): Promise<Git> {
  mkdirSync(cwd);
  const git = new Git({
    cwd,
    config: [
      ['user.name', 'Joinery'],
      ['user.email', 'joinery@localhost'],
    ],
  });
  await git.run(['init', '-q']);
  writeFileSync(join(cwd, 'README.md'), 'A repository to try an agent in.\n');
  await git.run(['add', 'README.md']);
  await git.run(['commit', '-q', '-m', 'A beginning']);
  return git;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** An event as a line for people; null for events that need not be shown. */
export function describeEvent(event: AgentEvent): string | null {
  switch (event.type) {
    case 'started':
      return visibleLine(`session ${event.session}${event.model === null ? '' : `, model ${event.model}`}`);
    case 'text':
      return visibleLine(`says: ${event.text}`);
    case 'tool':
      return event.status === 'begun' || event.call === null
        ? visibleLine(`${event.tool} ${event.detail}`)
        : null;
    case 'permission':
      return visibleLine(`${event.decision}: ${event.tool} ${event.detail}`);
    case 'retry':
      return visibleLine(`waits for the model: ${event.reason}`);
    case 'incident':
      return visibleLine(`${event.kind}: ${event.detail}`);
    case 'usage':
      return `spends ${event.usage.in} in, ${event.usage.out} out`;
    case 'turn':
    case 'alive':
      return null;
  }
}
