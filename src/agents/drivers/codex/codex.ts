import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentDriver, AgentRequest } from '#agents/driver.ts';
import { demandAgent } from '#agents/programs/locate-agent.ts';
import { pinnedAgents } from '#agents/programs/pinned-agents.ts';
import { programVersion } from '#agents/programs/program-version.ts';
import { type AgentHabits, containedStart, demandSandbox } from '#agents/programs/sandbox.ts';
import { type CommandLine, playCommandLine, spentInTraces } from '#agents/stream/command-line.ts';
import type { McpServer } from '#schema/agent.ts';
import { addUsage, Usage } from '#schema/run.ts';
import { CodexReader } from './codex-reader.ts';
import { Rollout } from './rollout.ts';

const habits: AgentHabits = {
  name: 'codex',
  keeps: ['.codex'],
  keepsIn: 'CODEX_HOME',
  hasOwnSandbox: true,
};

/** OpenAI Codex, through `codex exec --json`. */
export const codexDriver: AgentDriver = {
  name: 'codex',
  ambient: 'none',
  variables: ['CODEX_HOME', 'CODEX_API_KEY', 'CODEX_CA_CERTIFICATE', 'OPENAI_*'],
  demand: (config) => {
    demandAgent('codex', pinnedAgents.codex, config, process.env);
    demandSandbox(config, habits);
  },
  async play(request, doors) {
    const program = demandAgent('codex', pinnedAgents.codex, request.config, process.env);
    const version = await programVersion(program);
    // Codex reports totals of the whole conversation; what this attempt has reported so far is added to the start value.
    const spent: Usage = { in: 0, out: 0, usd: 0, ...request.resume?.spent };
    return playCommandLine((session) => commandLine(request, program, version, session, spent), request, {
      ...doors,
      submit: (raw) => doors.submit(raw),
      hasChanged: () => doors.hasChanged(),
      report(event) {
        if (event.type === 'usage') addUsage(spent, event.usage);
        doors.report(event);
      },
    });
  },
  spentSoFar: (scratch) =>
    spentInTraces(scratch, ({ codexHome, before }, isLast) => {
      // One rollout file covers the whole conversation: only the last process needs it.
      const rollout = (thread: string) => (isLast ? Rollout.find(String(codexHome), thread) : null);
      return new CodexReader({ version: null, model: null, before: Usage.parse(before), rollout });
    }),
};

function commandLine(
  request: AgentRequest,
  program: string,
  version: string | null,
  session: string | null,
  spent: Usage,
): CommandLine {
  const codexHome = request.env.CODEX_HOME ?? join(request.env.HOME ?? homedir(), '.codex');
  const before = { ...spent };
  return {
    ...containedStart(
      [
        program,
        'exec',
        ...(session === null ? [] : ['resume']),
        ...argumentsFor(request),
        ...request.config.args,
        ...(session === null ? [] : [session]),
        // `-`: the prompt comes from standard input. Arguments have a length limit, and every user of the machine can read them.
        '-',
      ],
      request,
      habits,
    ),
    env: {
      ...request.env,
      ...serverVariables(request),
      ...withoutMemory(request, codexHome),
      TERM: 'dumb',
      CI: '1',
    },
    reader: new CodexReader({
      version,
      model: request.model,
      before,
      rollout: (thread) => Rollout.find(codexHome, thread),
    }),
    note: { codexHome, before },
  };
}

/** The user's instructions for every Codex session; no setting turns them off. */
const memories = ['AGENTS.md', 'AGENTS.override.md'];

/** A read-only or isolated agent must not see the user's memory: gives it a home with links to everything else. */
function withoutMemory(
  { mode, scratch, hasAmbient }: AgentRequest,
  codexHome: string,
): { CODEX_HOME?: string } {
  const isTold = mode === 'edit' && hasAmbient !== false;
  if (isTold || !memories.some((name) => existsSync(join(codexHome, name)))) return {};
  const own = join(scratch, 'codex-home');
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(codexHome)) {
    const link = join(own, name);
    if (!memories.includes(name) && !existsSync(link)) symlinkSync(join(codexHome, name), link);
  }
  // Codex creates it if it is missing, but then inside the temporary home, where nothing looks for it afterwards.
  mkdirSync(join(codexHome, 'sessions'), { recursive: true });
  if (!existsSync(join(own, 'sessions'))) symlinkSync(join(codexHome, 'sessions'), join(own, 'sessions'));
  return { CODEX_HOME: own };
}

function argumentsFor(request: AgentRequest): string[] {
  const { mode, model, system, mcpServers, env } = request;
  const settings: [string, unknown][] = [
    ['approval_policy', 'never'],
    ['sandbox_mode', mode === 'read' ? 'read-only' : 'workspace-write'],
    // Worktrees of others may be below /tmp; the task's TMPDIR and caches stay writable.
    ['sandbox_workspace_write.exclude_slash_tmp', true],
    ['sandbox_workspace_write.writable_roots', env.XDG_CACHE_HOME === undefined ? [] : [env.XDG_CACHE_HOME]],
    ['shell_environment_policy.ignore_default_excludes', false],
    // A login shell sets another PATH: without `joinery`, and with other tools than the gates use.
    ['allow_login_shell', false],
    ['shell_environment_policy.exclude', withheldFromShell(request)],
    ...(request.hasAmbient === false ? [['project_doc_max_bytes', 0] as [string, unknown]] : []),
    ['analytics.enabled', false],
    ['otel.metrics_exporter', 'none'],
    ['features.plugins', false],
    ['features.apps', false],
    ['check_for_update_on_startup', false],
    ...(system === '' ? [] : [['developer_instructions', system] as [string, unknown]]),
    ...Object.entries(mcpServers).flatMap(([name, server]) => serverSettings(name, server)),
  ];
  return [
    '--json',
    // The user's personal settings do not apply to the crew's work.
    '--ignore-user-config',
    '--skip-git-repo-check',
    ...(model === null ? [] : ['--model', model]),
    ...settings.flatMap(([key, value]) => ['--config', `${key}=${JSON.stringify(value)}`]),
  ];
}

function serverSettings(name: string, server: McpServer): [string, unknown][] {
  const key = `mcp_servers.${name}`;
  const approval: [string, unknown] = [`${key}.default_tools_approval_mode`, 'approve'];
  if ('url' in server) return [[`${key}.url`, server.url], approval, ...headerSettings(key, server.headers)];
  return [
    [`${key}.command`, server.command],
    [`${key}.args`, server.args],
    // Names only: arguments are public, and values may be secret.
    [`${key}.env_vars`, Object.keys(server.env)],
    approval,
  ];
}

function headerSettings(key: string, headers: Readonly<Record<string, string>>): [string, unknown][] {
  return Object.keys(headers).map((header) => [
    `${key}.env_http_headers.${header}`,
    headerVariable(key, header),
  ]);
}

function headerVariable(key: string, header: string): string {
  return `JOINERY_${key}_${header}`.toUpperCase().replace(/[^A-Z0-9]/g, '_');
}

/** Codex takes the secrets of MCP servers from its own variables; the model's commands must not see them. */
function withheldFromShell(request: AgentRequest): string[] {
  return Object.keys(serverVariables(request)).filter((name) => name !== 'PATH' && name !== 'HOME');
}

function serverVariables({ mcpServers }: AgentRequest): Record<string, string> {
  const pairs = Object.entries(mcpServers).flatMap(([name, server]) =>
    'url' in server
      ? Object.entries(server.headers).map(([header, value]) => [
          headerVariable(`mcp_servers.${name}`, header),
          value,
        ])
      : Object.entries(server.env),
  );
  return Object.fromEntries(pairs) as Record<string, string>;
}
