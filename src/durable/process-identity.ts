import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

let self: { host: string; pid: number; started: string } | null = null;

export function thisProcess(): { host: string; pid: number; started: string } {
  self ??= { host: machine(), pid: process.pid, started: startTime(process.pid) };
  return self;
}

/** Process ids are valid only until the next boot. */
function machine(): string {
  try {
    return `${hostname()}/${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch {
    return hostname();
  }
}

/** Systems reuse process ids, but not together with the start time. Empty where unknown. */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

export function isRunning(pid: number, started: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return started === '' || startTime(pid) === started;
}
