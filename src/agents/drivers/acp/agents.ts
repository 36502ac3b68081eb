import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRequest } from '#agents/driver.ts';
import { type PinnedAgent, pinnedAgents } from '#agents/programs/pinned-agents.ts';
import type { AgentAbilities } from '#schema/agents-report.ts';

type Mode = AgentRequest['mode'];

/** One agent that speaks ACP, and how it differs from the others. */
export interface AcpAgent {
  readonly name: string;
  /** Its public name: Gemini CLI. */
  readonly title: string;
  /** Null for one that only the project defines. */
  readonly pinned: PinnedAgent | null;
  /** Whether Joinery's tests run the pinned version. */
  readonly isTested: boolean;
  /** What `joinery agents` prints about it. */
  readonly works: AgentAbilities;
  readonly args: (request: Pick<AgentRequest, 'mode' | 'model'>) => readonly string[];
  /** Variables that make it quiet, non-interactive and, for reading, unable to write. */
  readonly env: (request: Pick<AgentRequest, 'mode'>) => Readonly<Record<string, string>>;
  /**
   * Variables, and perhaps a file in `scratch`, that keep it from every setting, hook, server and guide in its folder; null where nobody has
   * shown that any do.
   */
  readonly withoutAmbient:
    | ((request: Pick<AgentRequest, 'scratch'>) => Readonly<Record<string, string>>)
    | null;
  /** Variables of the user that it needs. */
  readonly variables: readonly string[];
  /** How the model is selected. */
  readonly modelBy: 'argument' | 'protocol';
  /** The agent's id for each mode. A missing entry means it has no such mode; only our answers prevent it from writing. */
  readonly modes: Partial<Readonly<Record<Mode, string>>>;
  /**
   * Where the agent reports its spending. `prompt`: with the end of a prompt, complete. `quota`: in a separate field there.
   * `chunk`: beside pieces of text, for each answer of the model. `export`: nowhere completely; its own program reports it
   * afterwards. `none`: nowhere.
   */
  readonly usage: 'prompt' | 'quota' | 'chunk' | 'export' | 'none';
  /** Folders of its logins and sessions, below the home folder. */
  readonly keeps: readonly string[];
  /** Which request resumes an earlier session. */
  readonly resume: 'session/resume' | 'session/load' | null;
}

/** What the protocol itself provides. */
const overAcp: AgentAbilities = {
  readOnly: 'refused',
  resume: true,
  mcp: true,
  tokens: 'at-end',
  cost: 'table',
};

const quiet = { CI: '1', NO_COLOR: '1' };

/** Any agent that speaks the protocol and is not in the table: nothing is known about it, so nothing is assumed. */
export function genericAgent(name: string, args: readonly string[]): AcpAgent {
  return {
    name,
    title: name,
    pinned: null,
    isTested: false,
    works: { ...overAcp, resume: false },
    args: () => args,
    env: () => quiet,
    withoutAmbient: null,
    variables: [],
    modelBy: 'protocol',
    modes: { read: 'plan' },
    usage: 'prompt',
    keeps: [],
    resume: null,
  };
}

/** Gemini CLI and its relatives read guides from every folder they look at, under the names that these settings give. */
function writeSettings(scratch: string, more: object): string {
  const path = join(scratch, 'system-settings.json');
  mkdirSync(scratch, { recursive: true });
  const guides = { fileName: 'joinery-reads-no-guide-files.md', loadFromIncludeDirectories: false };
  writeFileSync(path, JSON.stringify({ ...more, context: guides, mcpServers: {}, mcp: { allowed: [] } }));
  return path;
}

const withModel = (flag: string, model: string | null) => (model === null ? [] : [flag, model]);

/** Measured with the versions that `npm run agents:install` installs. */
export const acpAgents: readonly AcpAgent[] = [
  {
    name: 'gemini',
    title: 'Gemini CLI',
    pinned: pinnedAgents.gemini,
    isTested: true,
    works: { ...overAcp, resume: false },
    args: ({ mode, model }) => [
      '--acp',
      ...withModel('-m', model),
      ...(mode === 'read' ? ['--approval-mode', 'plan'] : []),
    ],
    // Without the last variable it restarts itself, and killing the first process leaves the second running.
    env: () => ({ ...quiet, GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: 'true' }),
    // It reads guides beside every file it looks at, in folders that are trusted.
    withoutAmbient: ({ scratch }) => ({
      GEMINI_CLI_TRUST_WORKSPACE: 'false',
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: writeSettings(scratch, {
        security: { folderTrust: { enabled: true } },
        hooksConfig: { enabled: false },
      }),
    }),
    variables: ['GEMINI_*', 'GOOGLE_*'],
    modelBy: 'argument',
    modes: { read: 'plan', edit: 'default' },
    usage: 'quota',
    keeps: ['.gemini'],
    // It offers `session/load` but finds no session.
    resume: null,
  },
  {
    name: 'opencode',
    title: 'opencode',
    pinned: pinnedAgents.opencode,
    isTested: true,
    works: { ...overAcp, cost: 'reported' },
    args: () => ['acp'],
    env: ({ mode }) => ({
      ...quiet,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      // Merged with the user's own config. Without "ask" it writes without asking.
      OPENCODE_PERMISSION: JSON.stringify(
        mode === 'read' ? { edit: 'deny', bash: 'deny', external_directory: 'deny' } : { edit: 'ask' },
      ),
    }),
    // Its reading tool adds every AGENTS.md above a file that it reads, and no setting prevents that.
    withoutAmbient: null,
    variables: ['OPENCODE_*', 'ANTHROPIC_*', 'OPENAI_*', 'OPENROUTER_*', 'GEMINI_*', 'GOOGLE_*', 'AWS_*'],
    modelBy: 'protocol',
    modes: { read: 'plan', edit: 'build' },
    // At the end of a prompt it reports only the tokens of the last step.
    usage: 'export',
    // Sessions and their cost first.
    keeps: ['.local/share/opencode', '.config/opencode', '.local/state/opencode'],
    resume: 'session/resume',
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    pinned: pinnedAgents.qwen,
    isTested: true,
    works: { ...overAcp, tokens: 'each-answer' },
    // By default a model decides what is allowed.
    args: ({ mode, model }) => [
      '--acp',
      ...withModel('-m', model),
      '--approval-mode',
      mode === 'read' ? 'plan' : 'default',
    ],
    env: () => quiet,
    withoutAmbient: ({ scratch }) => ({
      QWEN_CODE_SYSTEM_SETTINGS_PATH: writeSettings(scratch, { disableAllHooks: true }),
    }),
    variables: ['QWEN_*', 'OPENAI_*', 'DASHSCOPE_*', 'BAILIAN_*'],
    // Over the protocol, a model's name also contains its origin.
    modelBy: 'argument',
    modes: { read: 'plan', edit: 'default' },
    usage: 'chunk',
    keeps: ['.qwen'],
    resume: 'session/resume',
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    pinned: pinnedAgents.copilot,
    // From its documentation: it needs a GitHub account, so no test runs it.
    isTested: false,
    works: overAcp,
    args: ({ model }) => ['--acp', ...withModel('--model', model)],
    env: () => ({ ...quiet, COPILOT_AUTO_UPDATE: 'false' }),
    withoutAmbient: null,
    variables: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
    modelBy: 'argument',
    modes: {},
    usage: 'prompt',
    keeps: ['.copilot'],
    resume: 'session/load',
  },
];
