/** `npm run checkers:install`: installs mypy, pyright, jest and Next, exact versions, into the cache folder. Needs python3 with pip. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BootstrapError, fetchInto, findNpm } from '../bin/bootstrap.js';
import {
  type ContractChecker,
  checkerFolder,
  contractCheckers,
  isCheckerInstalled,
} from './contract-checkers.ts';

const installers: Record<ContractChecker, (spec: string) => void | Promise<void>> = {
  mypy: installMypy,
  pyright: (version) => installFromNpm('pyright', version),
  jest: (version) => installFromNpm('jest', version),
  next: (version) => installFromNpm('next', version),
};

try {
  for (const name of Object.keys(contractCheckers) as ContractChecker[]) {
    const { version } = contractCheckers[name];
    if (!isCheckerInstalled(name)) await installers[name](version);
    console.log(`${name} ${version}: ${checkerFolder(name)}`);
  }
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  console.error(`joinery: ${error.message} Next: ${error.hint}`);
  process.exitCode = error.exitCode;
}

/** Installs into a temporary folder first, so that a half-finished install is never used. */
function installMypy(version: string): void {
  const home = checkerFolder('mypy');
  mkdirSync(dirname(home), { recursive: true });
  const workshop = mkdtempSync(join(dirname(home), '.tmp-'));
  try {
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input'];
    const { status, stderr } = spawnSync('python3', [...args, '--target', workshop, `mypy==${version}`], {
      stdio: ['ignore', 2, 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0) {
      console.error(stderr ?? '');
      throw new BootstrapError(
        `pip did not install mypy ${version}.`,
        'python3 -m pip --version; on Debian: apt-get install python3-pip',
      );
    }
    renameSync(workshop, home);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

async function installFromNpm(name: 'pyright' | 'jest' | 'next', version: string): Promise<void> {
  const npm = findNpm();
  if (!npm)
    throw new BootstrapError(`No npm was found to install ${name}.`, `npm install ${name}@${version}`);
  await fetchInto(npm, checkerFolder(name), `${name}@${version}`, contractCheckers[name].proof);
}
