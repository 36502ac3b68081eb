import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { AgentDriver, AgentEnd, AgentEvent, AgentRequest, HandoffAnswer } from '#agents/driver.ts';
import { claudeDriver } from '#agents/drivers/claude/claude.ts';
import { codexDriver } from '#agents/drivers/codex/codex.ts';
import { openDriver } from '#agents/open-driver.ts';
import { playAgent } from '#agents/play-agent.ts';
import { findProcesses, signalProcess } from '#process/sweep.js';
import { AgentConfig } from '#schema/agent.ts';
import { addUsage, type Usage } from '#schema/run.ts';
import { installedBinary } from '#scripts/contract-agents.ts';
import { agentRequest } from './agent-request.ts';
import { GitRepository } from './git-repository.ts';
import { temporaryFolder } from './joinery.ts';
import { ModelServer, type Script } from './model-server/model-server.ts';
import type { Reply } from './model-server/protocol.ts';

type Call = NonNullable<Reply['calls']>[number];

/** A real agent program, and how a model on loopback controls it. */
export interface RealAgent {
  readonly name: 'claude' | 'codex' | 'gemini' | 'opencode' | 'qwen';
  readonly driver: AgentDriver;
  readonly model: string;
  /** Additional variables and arguments that connect it to the server, with short timeouts. */
  variables(server: string): Record<string, string>;
  /** Files in its home folder that do the same. */
  files?(server: string): Record<string, object>;
  args(server: string): string[];
  write(cwd: string, path: string, content: string): Call;
  shell(command: string): Call;
  note(text: string): Call;
}

export const realAgents: Readonly<Record<RealAgent['name'], RealAgent>> = {
  claude: {
    name: 'claude',
    driver: claudeDriver,
    model: 'claude-sonnet-4-5',
    variables: (server) => ({
      ANTHROPIC_BASE_URL: server,
      ANTHROPIC_API_KEY: 'sk-test-key-of-the-agent',
      CLAUDE_CODE_MAX_RETRIES: '1',
    }),
    args: () => [],
    write: (cwd, path, content) => ({ tool: 'Write', input: { file_path: join(cwd, path), content } }),
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'a test' } }),
    note: (text) => ({ tool: 'mcp__lab__note', input: { text } }),
  },
  codex: {
    name: 'codex',
    driver: codexDriver,
    model: 'test-model',
    variables: () => ({ OPENAI_API_KEY: 'sk-test-key-of-the-agent' }),
    args: (server) => {
      const provider = `{name="Test",base_url="${server}/v1",env_key="OPENAI_API_KEY",wire_api="responses",request_max_retries=1,stream_max_retries=1,stream_idle_timeout_ms=20000}`;
      return ['-c', 'model_provider="test"', '-c', `model_providers.test=${provider}`];
    },
    write(_cwd, path, content) {
      const lines = content.trimEnd().split('\n');
      const patch = [
        '*** Begin Patch',
        `*** Add File: ${path}`,
        ...lines.map((line) => `+${line}`),
        '*** End Patch',
      ];
      return this.shell(["apply_patch <<'EOF'", ...patch, 'EOF'].join('\n'));
    },
    shell: (command) => ({ tool: 'exec_command', input: { cmd: command } }),
    note: (text) => ({ tool: 'note', namespace: 'mcp__lab', input: { text } }),
  },
  gemini: {
    name: 'gemini',
    driver: acp('gemini'),
    model: 'gemini-2.5-flash',
    variables: (server) => ({ GEMINI_API_KEY: 'sk-test-key-of-the-agent', GOOGLE_GEMINI_BASE_URL: server }),
    files: () => ({
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false },
      },
    }),
    args: () => [],
    write: (cwd, path, content) => ({ tool: 'write_file', input: { file_path: join(cwd, path), content } }),
    shell: (command) => ({ tool: 'run_shell_command', input: { command } }),
    note: (text) => ({ tool: 'mcp_lab_note', input: { text } }),
  },
  opencode: {
    name: 'opencode',
    driver: acp('opencode'),
    model: 'test/test-model',
    variables: () => ({
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    files: (server) => ({
      '.config/opencode/opencode.json': {
        provider: {
          test: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${server}/v1`, apiKey: 'sk-test-key-of-the-agent' },
            models: {
              'test-model': { limit: { context: 100_000, output: 8_000 }, cost: { input: 1, output: 5 } },
            },
          },
        },
        small_model: 'test/test-model',
        enabled_providers: ['test'],
        share: 'disabled',
      },
    }),
    args: () => [],
    write: (cwd, path, content) => ({ tool: 'write', input: { filePath: join(cwd, path), content } }),
    shell: (command) => ({ tool: 'bash', input: { command, description: 'a test' } }),
    note: (text) => ({ tool: 'lab_note', input: { text } }),
  },
  qwen: {
    name: 'qwen',
    driver: acp('qwen'),
    model: 'test-model',
    variables: (server) => ({ OPENAI_API_KEY: 'sk-test-key-of-the-agent', OPENAI_BASE_URL: `${server}/v1` }),
    args: () => ['--auth-type', 'openai'],
    write: (cwd, path, content) => ({ tool: 'write_file', input: { file_path: join(cwd, path), content } }),
    shell: (command) => ({ tool: 'run_shell_command', input: { command, is_background: false } }),
    note: (text) => ({ tool: 'mcp__lab__note', input: { text } }),
  },
};

function acp(name: string): AgentDriver {
  return openDriver(name, { scenario: null, agents: {} });
}

export interface Bench {
  readonly agent: RealAgent;
  readonly server: ModelServer;
  readonly repo: GitRepository;
  readonly cwd: string;
  readonly home: string;
  readonly mark: string;
  play(wanted?: Partial<AgentRequest>, answers?: readonly HandoffAnswer[]): Promise<Played>;
  /** Processes of the attempt that are alive. */
  alive(): number;
}

interface Played {
  readonly end: AgentEnd;
  readonly events: readonly AgentEvent[];
  readonly usage: Usage;
  readonly handoffs: readonly unknown[];
  readonly scratch: string;
  of<T extends AgentEvent['type']>(type: T): Extract<AgentEvent, { type: T }>[];
}

let marks = 0;

/** A repository, a home folder, a model that follows the script, and the agent. */
export async function openAgentBench(
  name: RealAgent['name'],
  script: (bench: Bench) => Script,
): Promise<Bench> {
  const agent = realAgents[name];
  const repo = new GitRepository();
  repo.commit({ 'README.md': 'hello\n' });
  const outside = temporaryFolder();
  const [home, tmp, cache] = ['home', 'tmp', 'cache'].map((folder) => join(outside, folder)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, tmp, cache, join(home, '.codex')]) mkdirSync(folder, { recursive: true });
  const mark = `test${process.pid}x${++marks}/a/1`;
  const server = await ModelServer.start((request, n) => script(bench)(request, n));
  for (const [path, content] of Object.entries(agent.files?.(server.url) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), JSON.stringify(content));
  }
  let scratches = 0;
  const bench: Bench = {
    agent,
    server,
    repo,
    cwd: repo.dir,
    home,
    mark,
    alive: () => findProcesses({ root: null, mark }).length,
    async play(wanted = {}, answers = []) {
      const events: AgentEvent[] = [];
      const usage: Usage = { in: 0, out: 0, usd: 0 };
      const handoffs: unknown[] = [];
      const request = agentRequest({
        cwd: repo.dir,
        scratch: join(outside, `scratch-${++scratches}`),
        prompt: 'Do what the test says.',
        model: agent.model,
        mark,
        env: {
          PATH: process.env.PATH ?? '',
          HOME: home,
          TMPDIR: tmp,
          XDG_CACHE_HOME: cache,
          ...agent.variables(server.url),
        },
        config: AgentConfig.parse({ command: installedBinary(name), args: agent.args(server.url) }),
        ...wanted,
      });
      const end = await playAgent(agent.driver, request, {
        report(event) {
          events.push(event);
          if (event.type === 'usage') addUsage(usage, event.usage);
        },
        submit: (raw) => {
          handoffs.push(raw);
          return answers[handoffs.length - 1] ?? { accepted: true };
        },
        hasChanged: async () => repo.git('status', '--porcelain') !== '',
      });
      recordStream(name, request.scratch, {
        [repo.dir]: '/work',
        [outside]: '/outside',
        [server.url]: 'http://model',
      });
      const of = <T extends AgentEvent['type']>(type: T) =>
        events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
      return { end, events, usage, handoffs, scratch: request.scratch, of };
    },
  };
  onTestFinished(async () => {
    for (const found of findProcesses({ root: null, mark })) signalProcess(found, 'SIGKILL');
    await server.close();
  });
  return bench;
}

/**
 * With `JOINERY_RECORD=<part of a test's name>`, stores the output of the real program as a recording for the unit tests of
 * its reader: paths of this machine are replaced, and keys are never part of it.
 */
function recordStream(name: string, scratch: string, places: Readonly<Record<string, string>>): void {
  const wanted = process.env.JOINERY_RECORD;
  const test = expect.getState().currentTestName?.split(' > ').at(-1) ?? '';
  const trace = join(scratch, 'turn-1.jsonl');
  if (!wanted || !test.includes(wanted) || !existsSync(trace)) return;
  const scrub = (text: string) =>
    Object.entries(places).reduce((clean, [place, label]) => clean.replaceAll(place, label), text);
  const lines = scrub(readFileSync(trace, 'utf8'))
    .replaceAll(/\/[^"\s]*\/joinery-\w+/g, '/elsewhere')
    .split('\n')
    .slice(1);
  const file = `${test.replace(/\W+/g, '-').replace(/^-|-$/g, '').slice(0, 40)}.jsonl`;
  const folder = fileURLToPath(new URL(`../recordings/agents/${name}/`, import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), lines.join('\n'));
}

/** Returns the replies one after the other. */
export function inTurn(...replies: readonly Reply[]): Script {
  return ({ turn }) => replies[turn] ?? { say: 'There is nothing left to do.' };
}

export const handoffBlock = (content: object) =>
  `I am done.\n\n\`\`\`handoff\n${JSON.stringify(content)}\n\`\`\`\n`;
