import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentDriver, AgentRequest } from '#agents/driver.ts';
import { demandAgent } from '#agents/programs/locate-agent.ts';
import { pinnedAgents } from '#agents/programs/pinned-agents.ts';
import { type AgentHabits, containedStart, demandSandbox } from '#agents/programs/sandbox.ts';
import { aroundOpen } from '#agents/programs/withheld.ts';
import { type CommandLine, playCommandLine, spentInTraces } from '#agents/stream/command-line.ts';
import type { McpServer } from '#schema/agent.ts';
import { ClaudeReader } from './claude-reader.ts';

/** Tools that would move the work out of its folder or out of this session. */
const withheldTools = ['EnterWorktree', 'ExitWorktree', 'CronCreate', 'ScheduleWakeup'];
const readingTools = ['Read', 'Grep', 'Glob'];

const habits: AgentHabits = {
  name: 'claude',
  keeps: ['.claude', '.claude.json'],
  keepsIn: 'CLAUDE_CONFIG_DIR',
  hasOwnSandbox: false,
};

/** Claude Code, through its stream of JSON lines. */
export const claudeDriver: AgentDriver = {
  name: 'claude',
  ambient: 'none',
  variables: [
    'ANTHROPIC_*',
    'CLAUDE_CONFIG_DIR',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_*',
    'CLAUDE_CODE_MAX_*',
    'API_TIMEOUT_MS',
    'BASH_DEFAULT_TIMEOUT_MS',
    'BASH_MAX_TIMEOUT_MS',
    'MAX_THINKING_TOKENS',
  ],
  demand: (config) => {
    demandAgent('claude', pinnedAgents.claude, config, process.env);
    demandSandbox(config, habits);
  },
  play: (request, doors) => playCommandLine((session) => claudeCommandLine(request, session), request, doors),
  spentSoFar: (scratch) => spentInTraces(scratch, () => new ClaudeReader()),
};

function claudeCommandLine(request: AgentRequest, session: string | null): CommandLine {
  const program = demandAgent('claude', pinnedAgents.claude, request.config, process.env);
  return {
    ...containedStart([program, ...argumentsFor(request, session), ...request.config.args], request, habits),
    env: {
      ...request.env,
      TERM: 'dumb',
      CI: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      // Its memory belongs to the main repository: it would leak notes of the person and of other tasks into this one.
      CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
      // Otherwise it waits, after its last message, for background processes it left running, such as a server.
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    },
    reader: new ClaudeReader(),
    note: {},
  };
}

/** The prompt is sent through standard input: arguments have a length limit and are visible to every user of the machine. */
function argumentsFor(request: AgentRequest, session: string | null): string[] {
  const { limits, model, system, mode, mcpServers } = request;
  const mcpTools = Object.keys(mcpServers).map((name) => `mcp__${name}`);
  return [
    '--print',
    '--verbose',
    ...['--output-format', 'stream-json', '--include-partial-messages'],
    // The project's settings apply to the crew's work, the user's personal ones do not.
    ...['--setting-sources', request.hasAmbient === false ? '' : 'project'],
    ...['--strict-mcp-config', '--mcp-config', writeMcpConfig(request)],
    ...(mode === 'read'
      ? ['--tools', readingTools.join(',')]
      : [
          ...['--permission-mode', 'acceptEdits'],
          ...['--allowedTools', ['Bash', ...mcpTools].join(',')],
          ...['--disallowedTools', withheldTools.join(',')],
        ]),
    ...settingsFor(request),
    ...(model === null ? [] : ['--model', model]),
    ...(system === '' ? [] : ['--append-system-prompt', system]),
    ...(limits.turns === null ? [] : ['--max-turns', String(limits.turns)]),
    ...(limits.usd === null ? [] : ['--max-budget-usd', String(limits.usd)]),
    ...(session === null ? [] : ['--resume', session]),
  ];
}

/** In read mode no hooks start. Claude's tools refuse to read withheld folders; shell commands still could. */
function settingsFor(request: AgentRequest): string[] {
  const deny = aroundOpen(request).flatMap((path) => [`Read(/${path})`, `Read(/${path}/**)`]);
  if (request.mode === 'edit' && deny.length === 0) return [];
  const path = join(request.scratch, 'settings.json');
  const hooks = request.mode === 'read' ? { disableAllHooks: true } : {};
  writeFileSync(path, JSON.stringify({ ...hooks, permissions: { deny } }));
  return ['--settings', path];
}

/** In a file, because servers may have secrets and arguments are public. */
function writeMcpConfig({ scratch, mcpServers }: AgentRequest): string {
  const path = join(scratch, 'mcp.json');
  const servers = Object.entries(mcpServers).map(([name, server]) => [name, describeServer(server)]);
  writeFileSync(path, JSON.stringify({ mcpServers: Object.fromEntries(servers) }), { mode: 0o600 });
  return path;
}

function describeServer(server: McpServer): object {
  return 'url' in server
    ? { type: 'http', url: server.url, headers: server.headers }
    : { type: 'stdio', command: server.command, args: server.args, env: server.env };
}
