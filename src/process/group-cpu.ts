import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of a second in `/proc`; Linux shows the same number to every program. */
const ticksPerSecond = 100;

/** CPU time of the processes of a group and of the children they have waited for; null where the system does not report it. */
export function groupCpuMs(group: number, platform: NodeJS.Platform = process.platform): number | null {
  try {
    if (platform === 'linux') return fromProc(group);
    return platform === 'win32' ? null : fromPs(group);
  } catch {
    return null;
  }
}

function fromProc(group: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) if (/^\d/.test(name)) ticks += ticksOf(name, group);
  return (ticks * 1000) / ticksPerSecond;
}

function ticksOf(pid: string, group: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return 0; // It has just ended: its parent waited for it and includes its time.
  }
  // The name may contain anything; after the last parenthesis come state, parent, group, and from the 12th field on times.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (Number(fields[2]) !== group) return 0;
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}

/** `ps` writes `[[days-]hours:]minutes:seconds[.hundredths]`. */
function fromPs(group: number): number {
  const lines = execFileSync('ps', ['-A', '-o', 'pgid=,time='], { encoding: 'utf8' }).split('\n');
  const seconds = lines.map((line) => {
    const [pgid, time = ''] = line.trim().split(/\s+/);
    return Number(pgid) === group ? secondsOf(time) : 0;
  });
  return seconds.reduce((sum, each) => sum + each, 0) * 1000;
}

export function secondsOf(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse();
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}
