import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { secondsOf } from './group-cpu.ts';

/** What one process has used so far. */
export interface ProcessUse {
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** Linux counts time in hundredths of a second and shows pages of this size to every program. */
const msPerTick = 10;
const pageBytes = 4096;

/** Null when the process is gone, or where the system does not report it. */
export function useOf(pid: number, platform: NodeJS.Platform = process.platform): ProcessUse | null {
  try {
    if (platform === 'linux') return fromProc(pid);
    return platform === 'win32' ? null : fromPs(pid);
  } catch {
    return null;
  }
}

function fromProc(pid: number): ProcessUse {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name may contain anything; after the last parenthesis come state, parent, …, and from the 12th field on times.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * msPerTick,
    residentBytes: Number(fields[21]) * pageBytes,
  };
}

function fromPs(pid: number): ProcessUse {
  const line = execFileSync('ps', ['-o', 'rss=,time=', '-p', String(pid)], { encoding: 'utf8' });
  const [kilobytes, time = ''] = line.trim().split(/\s+/);
  return { cpuMs: secondsOf(time) * 1000, residentBytes: Number(kilobytes) * 1024 };
}
