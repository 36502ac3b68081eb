/** `npm run agents:install [-- <name>…]`: installs the agents of the contract tests, exact versions, into the cache folder. */
import { relative } from 'node:path';
import { agentFolder } from '#agents/programs/locate-agent.ts';
import { pinnedAgents } from '#agents/programs/pinned-agents.ts';
import { BootstrapError, fetchInto, findNpm } from '../bin/bootstrap.js';
import { contractAgents, installedBinary, isInstalled } from './contract-agents.ts';

const wanted = process.argv.length > 2 ? process.argv.slice(2) : [...contractAgents];

try {
  for (const name of wanted) await install(name);
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(`joinery: ${error.message} Next: ${error.hint}`);
  process.exitCode = error.exitCode;
}

async function install(name: string): Promise<void> {
  if (!isPinned(name)) {
    throw new BootstrapError(
      `There is no agent ${JSON.stringify(name)}.`,
      `npm run agents:install -- ${Object.keys(pinnedAgents).join(' ')}`,
    );
  }
  const { package: source, version } = pinnedAgents[name];
  const home = agentFolder(pinnedAgents[name], process.env);
  if (!isInstalled(name)) {
    const npm = findNpm();
    if (!npm)
      throw new BootstrapError('No npm was found to install agents.', `npm install ${source}@${version}`);
    console.error(`joinery: fetching ${source}@${version} into ${home} (hundreds of megabytes)`);
    await fetchInto(npm, home, `${source}@${version}`, relative(home, installedBinary(name)));
  }
  if (!isInstalled(name)) {
    throw new BootstrapError(
      `${source}@${version} has no program for ${process.platform}-${process.arch}.`,
      `npm view ${source}@${version} optionalDependencies`,
    );
  }
  console.log(`${name} ${version}: ${installedBinary(name)}`);
}

function isPinned(name: string): name is keyof typeof pinnedAgents {
  return Object.hasOwn(pinnedAgents, name);
}
