import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentFolder } from '#agents/programs/locate-agent.ts';
import { pinnedAgents } from '#agents/programs/pinned-agents.ts';

/** Agents whose real programs `npm run test:agents` runs. */
export const contractAgents = ['claude', 'codex', 'gemini', 'opencode', 'qwen'] as const;

/** Path of the tested version of an agent, installed or not. */
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
