import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { type AcpAgent, acpAgents, genericAgent } from '#agents/drivers/acp/agents.ts';
import { locateAgent } from '#agents/programs/locate-agent.ts';
import { type PinnedAgent, pinnedAgents } from '#agents/programs/pinned-agents.ts';
import { programVersion } from '#agents/programs/program-version.ts';
import type { AgentSettings } from '#schema/agent.ts';
import type { AgentAbilities, AgentsReport } from '#schema/agents-report.ts';

type Row = AgentsReport['agents'][number];

interface KnownAgent {
  readonly name: string;
  readonly title: string;
  readonly protocol: Row['protocol'];
  readonly pinned: PinnedAgent | null;
  /** Whether Joinery's tests run the pinned version. */
  readonly isTested: boolean;
  readonly works: AgentAbilities;
}

const nativeAgents: readonly KnownAgent[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    protocol: 'stream-json',
    pinned: pinnedAgents.claude,
    isTested: true,
    works: { readOnly: 'enforced', resume: true, mcp: true, tokens: 'each-answer', cost: 'reported' },
  },
  {
    name: 'codex',
    title: 'Codex',
    protocol: 'exec-json',
    pinned: pinnedAgents.codex,
    isTested: true,
    works: { readOnly: 'enforced', resume: true, mcp: true, tokens: 'each-answer', cost: 'table' },
  },
];

/** Every agent that Joinery knows, under its public name. */
const knownAgents: readonly KnownAgent[] = [...nativeAgents, ...acpAgents.map(overAcp)];

function overAcp({ name, title, pinned, isTested, works }: AcpAgent): KnownAgent {
  return { name, title, protocol: 'acp', pinned, isTested, works };
}

/**
 * Which agents are installed. A program is only asked for its version, all at once and with a short timeout; one inside
 * the repository itself (`root`) is not run: a list must not execute what came with a clone.
 */
export async function surveyAgents(
  settings: Pick<AgentSettings, 'agents'>,
  env: Readonly<Record<string, string | undefined>>,
  root: string | null,
): Promise<AgentsReport> {
  const own = Object.entries(settings.agents)
    .filter(([name, { acp: args }]) => args && !knownAgents.some((known) => known.name === name))
    .map(([name, { acp: args }]) => overAcp(genericAgent(name, args ?? [])));
  const agents = await Promise.all(
    [...knownAgents, ...own].map(async (agent): Promise<Row> => {
      const { name, title, protocol, pinned, isTested, works } = agent;
      const program = locateAgent(name, pinned, settings.agents[name] ?? {}, env);
      const isAsked = program !== null && !(root !== null && liesIn(root, program));
      const version = isAsked ? await programVersion(program) : null;
      const tested = isTested ? (pinned?.version ?? null) : null;
      // An agent that only the project defines is for the project to test.
      const isReady = isAsked && (own.includes(agent) || (tested !== null && version === tested));
      return {
        name,
        title,
        protocol,
        status: program === null ? 'missing' : isReady ? 'ready' : 'untested',
        program,
        version,
        tested,
        install: pinned ? `npm install --global ${pinned.package}@${pinned.version}` : '',
        works,
      };
    }),
  );
  return { schema: 'joinery/agents@1', agents: [...agents, scripted] };
}

/** By its path or by the target of its link. */
function liesIn(root: string, program: string): boolean {
  const ways = [relative(root, program), relative(realpathSync(root), realpathSync(program))];
  return ways.some((way) => way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

const scripted: Row = {
  name: 'scripted',
  title: 'a script',
  protocol: 'built-in',
  status: 'ready',
  program: null,
  version: null,
  tested: null,
  install: '',
  works: { readOnly: 'none', resume: false, mcp: false, tokens: 'each-answer', cost: 'reported' },
};
