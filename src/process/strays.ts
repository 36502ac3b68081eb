import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { listProcesses, signalProcess } from './sweep.js';

/** A process that shed everything that identifies it, except that it works in one of Joinery's folders. */
export interface Stray {
  readonly pid: number;
  readonly name: string;
  /** In clock ticks since boot: tells it from a later process with the same pid. */
  readonly start: string;
  readonly evidence: 'its working folder' | 'its program' | 'a file it holds open';
}

/** Linux counts start times in hundredths of a second, on every machine. */
const ticksPerSecond = 100;

/** The current time, in the unit of process start times; null where there is no /proc. */
export function processClock(): number | null {
  try {
    return Math.floor(Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * ticksPerSecond);
  } catch {
    return null;
  }
}

/**
 * Finds daemons: started since then, without a terminal, adopted by the init process or by one of ours, and with a working folder, a
 * program or an open file below one of the folders. A process that a person starts has a terminal or an older parent and is left alone.
 */
export function findStrays(folders: readonly string[], since: number | null): Stray[] {
  if (since === null || process.platform !== 'linux') return [];
  const all = listProcesses();
  const byPid = new Map(all.map((each) => [each.pid, each]));
  const own = ancestorsOf(process.pid);
  const isYoung = (pid: number) => Number(byPid.get(pid)?.start ?? 0) >= since;
  return all.flatMap(({ pid, name, start }): Stray[] => {
    if (!isYoung(pid) || pid === process.pid || hasTerminal(pid)) return [];
    const adopter = eldest(pid);
    if (adopter === null) return [];
    const evidence = evidenceOf(pid, folders);
    return evidence === null ? [] : [{ pid, name, start, evidence }];
  });

  /** Owner of the oldest ancestor that started after the run did; null when that is a shell of a user. */
  function eldest(pid: number): number | null {
    let at = pid;
    for (
      let parent = byPid.get(at)?.ppid;
      parent !== undefined && isYoung(parent);
      parent = byPid.get(at)?.ppid
    ) {
      // A process that Joinery or its guard started and still holds is not a stray.
      if (parent === process.pid) return null;
      at = parent;
    }
    const parent = byPid.get(at)?.ppid ?? 1;
    if (parent === process.pid) return null;
    return parent <= 1 || own.has(parent) || adopters.test(byPid.get(parent)?.name ?? '') ? parent : null;
  }

  function ancestorsOf(pid: number): Set<number> {
    const line = new Set<number>();
    for (let at = byPid.get(pid)?.ppid; at !== undefined && !line.has(at); at = byPid.get(at)?.ppid)
      line.add(at);
    return line;
  }
}

/** Programs that adopt orphans. */
const adopters = /^(systemd|init|launchd|tini|dumb-init|docker-init|catatonit|s6-svscan|runsvdir)$/;

function hasTerminal(pid: number): boolean {
  const text = readText(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (fields[4] ?? '0') !== '0';
}

function evidenceOf(pid: number, folders: readonly string[]): Stray['evidence'] | null {
  const isBelow = (path: string) =>
    folders.some(
      (folder) => path === folder || path.startsWith(folder + sep) || path === `${folder} (deleted)`,
    );
  if (isBelow(linkOf(`/proc/${pid}/cwd`))) return 'its working folder';
  if (isBelow(linkOf(`/proc/${pid}/exe`))) return 'its program';
  const held = namesIn(`/proc/${pid}/fd`).some((name) => isBelow(linkOf(`/proc/${pid}/fd/${name}`)));
  return held ? 'a file it holds open' : null;
}

/** Ends them until two scans in a row find none. Processes that survive SIGKILL are not scanned for again. */
export async function endStrays(folders: readonly string[], since: number | null): Promise<Stray[]> {
  const found = new Map<string, Stray>();
  const deadline = performance.now() + endMs;
  for (let quiet = 0; quiet < 2 && performance.now() < deadline; ) {
    const strays = findStrays(folders, since);
    quiet = strays.length === 0 ? quiet + 1 : 0;
    for (const stray of strays) {
      const key = `${stray.pid} ${stray.start}`;
      // Politely at first: a program that writes a file on exit does so before the file is read.
      signalProcess(stray, found.has(key) ? 'SIGKILL' : 'SIGTERM');
      found.set(key, stray);
    }
    if (strays.length > 0) await wait(lookMs);
  }
  return [...found.values()];
}

const endMs = 5000;
const lookMs = 100;

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
