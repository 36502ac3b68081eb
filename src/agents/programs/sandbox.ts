import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import type { AgentRequest } from '#agents/driver.ts';
import { wordsOfLine } from '#lib/words-of-line.ts';
import { type Box, workBox } from '#process/box.ts';
import { type Containment, containmentHere, installBubblewrap } from '#process/containment.ts';
import type { AgentConfig } from '#schema/agent.ts';
import { EnvironmentError } from '#schema/errors.ts';

type Argv = readonly [string, ...string[]];

/** What a driver knows about its program: where its logins and sessions are, and whether it sandboxes commands itself. */
export interface AgentHabits {
  readonly name: string;
  /** Folders below the home folder that stay writable, the main one first: `.claude`. */
  readonly keeps: readonly string[];
  /** The variable that sets another folder for them. */
  readonly keepsIn?: string;
  readonly hasOwnSandbox: boolean;
}

/** How an agent's program starts: its command line, and what it may touch. */
export interface ContainedStart {
  readonly argv: Argv;
  readonly box: Box | null;
}

/** The start that the settings demand. An agent has the network, because its model is there. */
export function containedStart(argv: Argv, request: AgentRequest, habits: AgentHabits): ContainedStart {
  const kind = demandSandbox(request.config, habits);
  if (kind === 'none') return { argv, box: null };
  if (kind === 'command')
    return { argv: [...wordsOfLine(request.config.sandbox), ...argv] as unknown as Argv, box: null };
  const { env, mode, scratch, withheld = [] } = request;
  const home = env.HOME ?? homedir();
  const kept = habits.keeps.map((path) => join(home, path));
  // A missing folder cannot be created inside the sandbox; outside, the agent would create it.
  for (const path of kept.slice(0, 1)) mkdirSync(path, { recursive: true });
  const given = [env.TMPDIR, env.XDG_CACHE_HOME, env[habits.keepsIn ?? '']];
  const box = workBox(request.tree ?? request.cwd, env, {
    isTreeWritable: mode === 'edit',
    writable: [...given.filter((path) => path !== undefined), ...kept],
    readable: [scratch, ...installationOf(argv[0]), ...serverFiles(request)],
    hidden: withheld,
    network: true,
  });
  return { argv, box };
}

/** The demanded sandbox, or an error: an agent never runs without one that was demanded. */
export function demandSandbox(
  { sandbox }: Pick<AgentConfig, 'sandbox'>,
  { name, hasOwnSandbox }: AgentHabits,
  here: () => Containment = containmentHere,
): 'none' | 'command' | 'bubblewrap' {
  if (sandbox === 'off') return 'none';
  const isDemanded = sandbox === 'auto';
  if (!isDemanded && sandbox !== 'where-possible') return 'command';
  if (hasOwnSandbox) return 'none';
  const found = here();
  if (found.by === 'bubblewrap') return 'bubblewrap';
  if (!isDemanded || found.isChosen) return 'none';
  throw new EnvironmentError({
    code: 'no-sandbox',
    message: `agents.${name}.sandbox is "auto", and bubblewrap does not work here: ${found.why.replace(/^bubblewrap: /, '')}`,
    hint: `install it (Debian: ${installBubblewrap}), name another command, or set it to "off"`,
  });
}

/** An installed program and the packages beside it. */
function installationOf(program: string): string[] {
  if (!isAbsolute(program) || !existsSync(program)) return [];
  return [program, realpathSync(program)].map((path) => {
    const modules = path.lastIndexOf(`${sep}node_modules${sep}`);
    if (modules >= 0) return path.slice(0, modules + `${sep}node_modules`.length);
    return basename(dirname(path)) === 'bin' ? path : dirname(path);
  });
}

/** Programs and scripts of MCP servers: the agent starts them inside. */
function serverFiles({ mcpServers }: AgentRequest): string[] {
  return Object.values(mcpServers).flatMap((server) =>
    'url' in server ? [] : [server.command, ...server.args].filter(isAbsolute),
  );
}
