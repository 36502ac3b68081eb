/**
 * Runs a script or a tool of this checkout on a supported Node with the locked dependencies installed, whatever
 * the machine started with: `node scripts/with-node.js scripts/test.ts`, `node scripts/with-node.js biome check`.
 * Plain JavaScript for the same reason as the bootstrap it builds on.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  BootstrapError,
  cacheDir,
  continueOnNewerNode,
  endLike,
  findNpm,
  isNodeSupported,
  waitFor,
} from '../bin/bootstrap.js';

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  if (isNodeSupported()) await run(process.argv.slice(2));
  else await continueOnNewerNode(fileURLToPath(import.meta.url), process.argv.slice(2));
} catch (error) {
  if (!(error instanceof BootstrapError)) throw error;
  process.stderr.write(`joinery: ${error.message} Next: ${error.hint}\n`);
  process.exitCode = error.exitCode;
}

/** @param {readonly string[]} command */
async function run([target = '', ...args]) {
  if (!dependenciesAreCurrent()) await oneAtATime(installIfNeeded);
  const env = {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
  };
  const isScript = /\.[jt]s$/.test(target);
  const child = isScript
    ? spawn(process.execPath, [join(root, target), ...args], { stdio: 'inherit', env })
    : // On Windows the tools in `.bin` are `.cmd` files, which only a shell starts.
      spawn(target, args, { stdio: 'inherit', env, cwd: root, shell: process.platform === 'win32' });
  await endLike(child);
}

/** Compares what npm installed with what the lockfile asks for. */
function dependenciesAreCurrent() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const installed = packagesIn(installedFile);
  const locked = packagesIn(join(root, 'package-lock.json'));
  const isForeign = (/** @type {string} */ path) => locked[path]?.optional && !installed[path];
  const paths = new Set([...Object.keys(installed), ...Object.keys(locked)]);
  paths.delete('');
  return [...paths].every((path) => isForeign(path) || installed[path]?.version === locked[path]?.version);
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesIn(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

/**
 * npm empties node_modules before it fills it: several at once would remove each other's packages. A SQLite lock is released
 * with the process that holds it, however that ends.
 *
 * @param {() => Promise<void>} work
 */
async function oneAtATime(work) {
  const { DatabaseSync } = await import('node:sqlite');
  const folder = join(cacheDir(), 'installing');
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const lock = new DatabaseSync(join(folder, `${name}.db`), { timeout: 0 });
  try {
    for (let told = false; !isTaken(lock); told = true) {
      if (!told)
        process.stderr.write('joinery: waiting for another command that installs the dependencies\n');
      await wait(200);
    }
    await work();
  } finally {
    lock.close();
  }
}

/** @param {import('node:sqlite').DatabaseSync} lock */
function isTaken(lock) {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    const busy = 5;
    if (/** @type {{ errcode?: number }} */ (error).errcode !== busy) throw error;
    return false;
  }
}

async function installIfNeeded() {
  // The previous holder may have done it.
  if (dependenciesAreCurrent()) return;
  const npm = findNpm();
  if (!npm)
    throw new BootstrapError('No npm was found to install the dependencies.', 'npm ci --ignore-scripts');
  process.stderr.write('joinery: installing the locked dependencies (npm ci)\n');
  const flags = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const child = spawn(process.execPath, [npm, 'ci', ...flags], { cwd: root, stdio: ['ignore', 2, 2] });
  const { code } = await waitFor(child);
  if (code !== 0)
    throw new BootstrapError(`npm ci failed with exit code ${code}.`, 'npm ci --ignore-scripts');
}
