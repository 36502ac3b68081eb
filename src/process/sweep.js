/**
 * Finds and ends the processes of one guarded program: its group, its session, its descendants, and whatever carries
 * its mark in its environment. Plain JavaScript, because the guard has to start fast from a checkout too.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Variable that every process of a guarded program inherits. */
export const MARK = 'JOINERY_ATTEMPT';

/** Steps of the kill ladder: SIGINT to its group, SIGTERM to all, SIGKILL to all until nobody is left. */
const LADDER = { interruptMs: 1500, terminateMs: 4000, killMs: 2500, pollMs: 40 };

/**
 * @typedef {{ pid: number, start: string }} Identity the start time tells a process from a later one with its number
 * @typedef {Identity & { ppid: number, group: number, session: number, name: string }} Found
 * @typedef {{ root: Identity | null, mark: string }} Target
 */

/**
 * Every process that is alive. Linux reads `/proc`; elsewhere `ps` gives all but sessions and environments.
 *
 * @returns {Found[]}
 */
export function listProcesses(platform = process.platform) {
  return platform === 'linux' ? listFromProc() : platform === 'win32' ? [] : listFromPs();
}

/** @returns {Found[]} */
function listFromProc() {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    const found = Number.isInteger(pid) ? readStat(pid) : null;
    return found ? [found] : [];
  });
}

/**
 * @param {number} pid
 * @returns {Found | null} null for a process that is gone or only waits to be buried
 */
function readStat(pid) {
  const text = readOrNull(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The name may hold anything, parentheses and spaces included; numbers follow the last parenthesis.
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
    return [{ pid: Number(pid), ppid: Number(ppid), group: Number(group), session: 0, start, name }];
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
 * A mark stands for itself and for everything below it: `run` for `run/task/1`, `run/task/1` for `run/task/1#2`.
 *
 * @param {number} pid
 * @param {string} mark
 */
function carries(pid, mark) {
  const environment = readOrNull(`/proc/${pid}/environ`) ?? '';
  if (!environment.includes(`${MARK}=${mark}`)) return false;
  return environment.split('\0').some((entry) => {
    if (!entry.startsWith(`${MARK}=${mark}`)) return false;
    const next = entry[MARK.length + 1 + mark.length];
    return next === undefined || next === '/' || next === '#';
  });
}

/**
 * Those of a program that are alive. Never this process, nor one it descends from.
 *
 * @param {Target} target
 * @returns {Found[]}
 */
export function findProcesses({ root, mark }) {
  const all = listProcesses();
  const byPid = new Map(all.map((each) => [each.pid, each]));
  const spared = new Set(lineage(byPid, process.pid));
  // The number of a leader that ended may belong to somebody else by now, with a group of its own.
  const leader = root && byPid.get(root.pid);
  const group = root && (!leader || leader.start === root.start) ? root.pid : null;
  return all.filter((each) => {
    if (spared.has(each.pid)) return false;
    if (group !== null && (each.group === group || each.session === group)) return true;
    if (group !== null && lineage(byPid, each.pid).includes(group)) return true;
    // Whoever inherited the mark was started after the program: the environment of older ones need not be read.
    if (root && Number(each.start) < Number(root.start)) return false;
    return process.platform === 'linux' && carries(each.pid, mark);
  });
}

/**
 * A process and those it descends from, up to the first.
 *
 * @param {ReadonlyMap<number, Found>} byPid
 * @param {number} pid
 */
function lineage(byPid, pid) {
  /** @type {number[]} */
  const line = [];
  for (let at = byPid.get(pid); at && !line.includes(at.pid); at = byPid.get(at.ppid)) line.push(at.pid);
  return line;
}

/**
 * The signal reaches the process only if it is still the one that was found.
 *
 * @param {Identity} found
 * @param {NodeJS.Signals} signal
 */
export function signalProcess(found, signal) {
  if (identityOf(found.pid)?.start !== found.start) return;
  try {
    process.kill(found.pid, signal);
  } catch {
    // It ended in this very moment, or it is not ours to signal.
  }
}

/**
 * The kill ladder. Resolves when nobody is left, or with those that could not be ended.
 *
 * @param {Target} target
 * @returns {Promise<Found[]>}
 */
export async function endProcesses(target, { isPolite = true } = {}) {
  if (process.platform === 'win32') return endOnWindows(target);
  if (isPolite && target.root) {
    interruptGroup(target.root);
    if (await areGone(target, LADDER.interruptMs)) return [];
  }
  for (const found of findProcesses(target)) signalProcess(found, 'SIGTERM');
  if (await areGone(target, LADDER.terminateMs)) return [];
  const deadline = performance.now() + LADDER.killMs;
  do {
    // Again and again: a process that was forking while it was looked for has a child by now.
    for (const found of findProcesses(target)) signalProcess(found, 'SIGKILL');
    await wait(LADDER.pollMs);
    if (findProcesses(target).length === 0) return [];
  } while (performance.now() < deadline);
  return findProcesses(target);
}

/**
 * As a terminal does at Ctrl-C: programs know how to tidy up then.
 *
 * @param {Identity} root
 */
function interruptGroup(root) {
  if (identityOf(root.pid)?.start !== root.start) return;
  try {
    process.kill(-root.pid, 'SIGINT');
  } catch {
    // It ended in this very moment.
  }
}

/**
 * @param {Target} target
 * @param {number} ms
 */
export async function areGone(target, ms) {
  const deadline = performance.now() + ms;
  for (;;) {
    if (findProcesses(target).length === 0) return true;
    if (performance.now() >= deadline) return false;
    await wait(LADDER.pollMs);
  }
}

/**
 * @param {Target} target
 * @returns {Found[]}
 */
function endOnWindows({ root }) {
  try {
    if (root) execFileSync('taskkill', ['/pid', String(root.pid), '/T', '/F'], { stdio: 'ignore' });
  } catch {
    // Nobody is left.
  }
  return [];
}
