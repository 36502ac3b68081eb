/**
 * Finds and ends the processes of one guarded program: its group, its session, its descendants, and every process with its mark in the
 * environment. Plain JavaScript, because the guard has to start fast from a checkout too.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Variable that every process of a guarded program inherits. */
export const attemptVariable = 'JOINERY_ATTEMPT';

/** Variable with the mark that a guard belongs to. It is not the mark's variable: a guard must outlive what it ends. */
export const guardedVariable = 'JOINERY_GUARDED';

/** Steps of the kill ladder: SIGINT to its group, SIGTERM to all, SIGKILL to all until none is left. */
const ladder = { interruptMs: 1500, terminateMs: 3000, killMs: 3000, pollMs: 40, glances: 2, glanceMs: 15 };

/** The longest time the whole ladder takes. */
export const ladderMs = ladder.interruptMs + ladder.terminateMs + ladder.killMs;

const mostRounds = 5;

/**
 * @typedef {{ pid: number, start: string }} Identity the start time tells a process from a later one with its number
 * @typedef {Identity & { ppid: number, group: number, session: number, name: string, mark: string | null }} Found
 * @typedef {{ root: Identity | null, mark: string, isBoxed?: boolean }} Target `isBoxed`: its group is led by a sandbox
 */

/**
 * All living processes. Linux reads `/proc`; elsewhere `ps` gives everything but sessions and environments.
 *
 * @returns {Found[]}
 */
export function listProcesses(platform = process.platform) {
  return platform === 'linux' ? listFromProc(0, new Map()) : platform === 'win32' ? [] : listFromPs();
}

/**
 * Scanning all processes is the largest cost of a short guarded program: environments of processes that are older than it are not read, and
 * processes that were seen before and are unrelated are skipped.
 *
 * @param {number} since start time from which marks are read
 * @param {Map<string, Found | null>} seen
 * @returns {Found[]}
 */
function listFromProc(since, seen) {
  // A process may fork and end while the list is read: scan new processes until there are none.
  for (let round = 0; round < mostRounds; round++) {
    const fresh = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !seen.has(name));
    if (fresh.length === 0) break;
    for (const name of fresh) {
      const found = readStat(Number(name));
      const isYoung = found !== null && Number(found.start) >= since;
      seen.set(name, isYoung ? { ...found, mark: readMark(found.pid) } : found);
    }
  }
  return [...seen.values()].filter((found) => found !== null);
}

/**
 * @param {number} pid
 * @returns {Found | null} null for a process that is gone or a zombie
 */
function readStat(pid) {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name may contain anything, parentheses and spaces included; numbers follow the last parenthesis.
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  const [state = '', ppid = '', group = '', session = ''] = fields;
  if (state === 'Z' || state === 'X') return null;
  return {
    pid,
    ppid: Number(ppid),
    group: Number(group),
    session: Number(session),
    start: fields[19] ?? '',
    name: text.slice(text.indexOf('(') + 1, close),
    mark: null,
  };
}

/** @returns {Found[]} */
function listFromPs() {
  const text = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart=,comm='], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line);
    if (!match || match[4]?.startsWith('Z')) return [];
    const [, pid, ppid, group, , start = '', name = ''] = match;
    return [
      { pid: Number(pid), ppid: Number(ppid), group: Number(group), session: 0, start, name, mark: null },
    ];
  });
}

/** @param {string} file */
function readOrNull(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * @param {number} pid
 * @returns {Identity | null}
 */
export function identityOf(pid) {
  const found =
    process.platform === 'linux' ? readStat(pid) : listProcesses().find((each) => each.pid === pid);
  return found ? { pid, start: found.start } : null;
}

/**
 * Whether a process is stopped, which a signal can undo; false where there is no `/proc`.
 *
 * @param {number} pid
 */
export function isStopped(pid) {
  const text = readOrNull(`/proc/${pid}/stat`) ?? '';
  return text.slice(text.lastIndexOf(')') + 2).startsWith('T');
}

/**
 * @param {number} pid
 * @returns {string | null}
 */
function readMark(pid, variable = attemptVariable) {
  const environment = `\0${readOrNull(`/proc/${pid}/environ`) ?? ''}`;
  const at = environment.indexOf(`\0${variable}=`);
  return at < 0 ? null : (environment.slice(at + variable.length + 2).split('\0', 1)[0] ?? null);
}

/**
 * A guard that its program stopped does not notice that Joinery is gone. Woken, it ends the program.
 *
 * @param {string} mark
 */
export function wakeGuards(mark) {
  if (process.platform !== 'linux') return;
  for (const found of listProcesses()) {
    if (isStopped(found.pid) && isBelow(readMark(found.pid, guardedVariable), mark))
      signalProcess(found, 'SIGCONT');
  }
}

/**
 * A mark matches itself and everything below it: `run` matches `run/task/1`, `run/task/1` matches `run/task/1#2`.
 *
 * @param {string | null} found
 * @param {string} mark
 */
function isBelow(found, mark) {
  return found !== null && (found === mark || found.startsWith(`${mark}/`) || found.startsWith(`${mark}#`));
}

/**
 * The living processes of a program. Never this process or one of its ancestors.
 *
 * @param {Target} target
 * @param {Map<string, Found | null>} [seen]
 * @returns {Found[]}
 */
export function findProcesses({ root, mark }, seen = new Map()) {
  const all = process.platform === 'linux' ? listFromProc(Number(root?.start ?? 0), seen) : listProcesses();
  const byPid = new Map(all.map((each) => [each.pid, each]));
  const spared = lineage(byPid, process.pid);
  // The pid of a leader that ended may have been reused by another process with its own group.
  const leader = root && byPid.get(root.pid);
  const group = root && (!leader || leader.start === root.start) ? root.pid : null;
  const isOfGroup = (/** @type {Found} */ each) =>
    group !== null && (each.group === group || each.session === group);
  // Whatever a process in a sandbox does, it stays below the first process of the sandbox, which is in this group.
  const members = all.filter(isOfGroup).map(({ pid }) => pid);
  const descendants = group === null ? new Set() : descendantsOf(all, [group, ...members]);
  return all.filter((each) => {
    if (spared.has(each.pid)) return false;
    return isOfGroup(each) || descendants.has(each.pid) || isBelow(each.mark, mark);
  });
}

/**
 * The processes of a sandbox itself. They end when the program has ended; a polite signal would end them before it.
 *
 * @param {Found} found
 * @param {Target} target
 */
export function isFrame({ name, group }, { root, isBoxed }) {
  return isBoxed === true && name === 'bwrap' && group === root?.pid;
}

/**
 * Processes and all their descendants. One walk: a program may be a chain of thousands of processes.
 *
 * @param {readonly Found[]} all
 * @param {readonly number[]} roots
 */
function descendantsOf(all, roots) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const { pid, ppid } of all) {
    const known = children.get(ppid);
    if (known) known.push(pid);
    else children.set(ppid, [pid]);
  }
  const found = new Set(roots);
  for (const pid of found) for (const child of children.get(pid) ?? []) found.add(child);
  return found;
}

/**
 * A process and its ancestors.
 *
 * @param {ReadonlyMap<number, Found>} byPid
 * @param {number} pid
 */
function lineage(byPid, pid) {
  /** @type {Set<number>} */
  const line = new Set();
  for (let at = byPid.get(pid); at && !line.has(at.pid); at = byPid.get(at.ppid)) line.add(at.pid);
  return line;
}

/**
 * Signals the process only if it is still the one that was found.
 *
 * @param {Identity} found
 * @param {NodeJS.Signals} signal
 */
export function signalProcess(found, signal) {
  if (identityOf(found.pid)?.start !== found.start) return;
  try {
    process.kill(found.pid, signal);
  } catch {
    // It has just ended, or this user may not signal it.
  }
}

/**
 * The kill ladder. Resolves when no process is left, or with those that could not be ended.
 *
 * @param {Target} target
 * @returns {Promise<Found[]>}
 */
export async function endProcesses(target, { isPolite = true } = {}) {
  if (process.platform === 'win32') return endOnWindows(target);
  if (isPolite && target.root) {
    // As a terminal does at Ctrl-C: programs know how to clean up then.
    if (target.isBoxed) signalBoxed(target, 'SIGINT');
    else signalGroup(target.root, target.root.pid, 'SIGINT');
    if (await areGone(target, ladder.interruptMs)) return [];
  }
  if (target.isBoxed) signalBoxed(target, 'SIGTERM');
  else signalAll(target, 'SIGTERM');
  if (await areGone(target, ladder.terminateMs)) return [];
  const deadline = performance.now() + ladder.killMs;
  do signalAll(target, 'SIGKILL');
  while (!(await areGone(target, 0)) && performance.now() < deadline);
  return findProcesses(target);
}

/**
 * Everything in a sandbox, without the sandbox.
 *
 * @param {Target} target
 * @param {NodeJS.Signals} signal
 */
function signalBoxed(target, signal) {
  for (const found of findProcesses(target)) if (!isFrame(found, target)) signalProcess(found, signal);
}

/**
 * Signals whole groups where all members are ours: a program that forks all the time is never seen completely, but a signal to its group
 * reaches every member at once.
 *
 * @param {Target} target
 * @param {NodeJS.Signals} signal
 */
function signalAll(target, signal) {
  const found = findProcesses(target);
  const pids = new Set(found.map(({ pid }) => pid));
  const shared = new Set(
    listProcesses()
      .filter(({ pid }) => !pids.has(pid))
      .map(({ group }) => group),
  );
  const reached = new Set();
  for (const each of found) {
    if (shared.has(each.group)) signalProcess(each, signal);
    else if (!reached.has(each.group)) signalGroup(each, each.group, signal);
    reached.add(each.group);
  }
}

/**
 * @param {Identity} member
 * @param {number} group
 * @param {NodeJS.Signals} signal
 */
function signalGroup(member, group, signal) {
  if (identityOf(member.pid)?.start !== member.start) return;
  try {
    process.kill(-group, signal);
  } catch {
    // It has just ended, or this user may not signal it.
  }
}

/**
 * Scans more than once: a process that forks and ends between two scans is in neither.
 *
 * @param {Target} target
 * @param {number} ms how long to wait for the processes that are found
 */
export async function areGone(target, ms) {
  const deadline = performance.now() + ms;
  const seen = new Map();
  for (let empty = 0; empty < ladder.glances; ) {
    const found = findProcesses(target, seen);
    empty = found.length === 0 ? empty + 1 : 0;
    if (empty === 0) seen.clear();
    if (empty === 0 && performance.now() >= deadline) return false;
    // A sandbox ends a moment after its program: every start would wait for it.
    const isAlmost = found.every((each) => isFrame(each, target));
    if (empty < ladder.glances) await wait(empty > 0 ? ladder.glanceMs : isAlmost ? 2 : ladder.pollMs);
  }
  return true;
}

/**
 * @param {Target} target
 * @returns {Found[]}
 */
function endOnWindows({ root }) {
  try {
    if (root) execFileSync('taskkill', ['/pid', String(root.pid), '/T', '/F'], { stdio: 'ignore' });
  } catch {
    // No process is left.
  }
  return [];
}
