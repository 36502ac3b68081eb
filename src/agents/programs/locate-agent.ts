import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { AgentConfig } from '#schema/agent.ts';
import { EnvironmentError } from '#schema/errors.ts';
import { cacheDir } from '#schema/paths.ts';
import type { PinnedAgent } from './pinned-agents.ts';

/** Where `npm run agents:install` installs an agent. */
export function agentFolder(
  { package: name, version }: PinnedAgent,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const folder = `${name.replace(/^@/, '').replaceAll('/', '-')}-${version}`;
  return join(cacheDir({ env, home: homedir(), platform: process.platform }), 'agents', folder);
}

/** The program to run: the one from the project's settings, else the tested version, else the one on PATH; else null. */
export function locateAgent(
  name: string,
  pinned: PinnedAgent | null,
  config: Pick<AgentConfig, 'command'>,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (config.command !== undefined) return findProgram(config.command, env);
  if (pinned === null) return findProgram(name, env);
  const modules = join(agentFolder(pinned, env), 'node_modules');
  const installed = pinned
    .binaries(process.platform, process.arch)
    .map((binary) => join(modules, binary))
    .find((binary) => existsSync(binary));
  return installed ?? findProgram(name, env);
}

/** The program, or an error that says how to get it. */
export function demandAgent(
  name: string,
  pinned: PinnedAgent | null,
  config: Pick<AgentConfig, 'command'>,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const program = locateAgent(name, pinned, config, env);
  if (program !== null) return program;
  throw new EnvironmentError({
    code: 'agent-missing',
    message:
      config.command === undefined
        ? `the agent ${name} is not installed`
        : `agents.${name}.command: there is no program ${JSON.stringify(config.command)}`,
    hint: pinned
      ? `npm install --global ${pinned.package}@${pinned.version}`
      : `say where it is: { "agents": { "${name}": { "command": "/path/to/it" } } }`,
  });
}

function findProgram(command: string, env: Readonly<Record<string, string | undefined>>): string | null {
  if (/[\\/]/.test(command)) return existsSync(command) ? resolve(command) : null;
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return (
    folders
      .flatMap((folder) => endings.map((ending) => join(folder, command + ending)))
      .find((path) => existsSync(path)) ?? null
  );
}
