import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentFolder } from '#agents/programs/locate-agent.ts';
import { pinnedAgents } from '#agents/programs/pinned-agents.ts';

/** Agents whose real programs the contract tests run. */
export const contractAgents = ['claude', 'codex'] as const;

/** Slower ones, which speak ACP: their contract tests are part of `npm run test:soak`. */
const soakAgents = ['gemini', 'opencode', 'qwen'] as const;

/** Those whose contract tests belong to this run of the tests. */
export function agentsToTest(isSoak: boolean): readonly (keyof typeof pinnedAgents)[] {
  return isSoak ? [...contractAgents, ...soakAgents] : contractAgents;
}

/** Files of contract tests that do not run: their agent is not there, or it is not their turn. */
export function untestedFiles(isSoak: boolean): string[] {
  const tested = agentsToTest(isSoak).filter(isInstalled);
  return [...contractAgents, ...soakAgents]
    .filter((name) => !(tested as readonly string[]).includes(name))
    .map((name) => `test/contract/${name}*.test.ts`);
}

/** Where the tested version of an agent lies, installed or not. */
export function installedBinary(name: keyof typeof pinnedAgents): string {
  const modules = join(agentFolder(pinnedAgents[name], process.env), 'node_modules');
  const candidates = pinnedAgents[name]
    .binaries(process.platform, process.arch)
    .map((binary) => join(modules, binary));
  return candidates.find((file) => existsSync(file)) ?? candidates[0] ?? modules;
}

export function isInstalled(name: keyof typeof pinnedAgents): boolean {
  return existsSync(installedBinary(name));
}

/** One line for the end of a test run. */
export function contractLine(isSoak: boolean): string {
  const missing = agentsToTest(isSoak).filter((name) => !isInstalled(name));
  const present = agentsToTest(isSoak).filter(isInstalled);
  const names = present.map((name) => `${name} ${pinnedAgents[name].version}`).join(', ');
  return missing.length === 0
    ? `contract tests: ${names}`
    : `contract tests NOT RUN for ${missing.join(' and ')}: npm run agents:install -- ${missing.join(' ')}`;
}
