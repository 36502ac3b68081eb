import { hostname } from 'node:os';

/** How a process signs the runs it drives: 'host:4711'. */
export function holderName(pid = process.pid): string {
  return `${hostname()}:${pid}`;
}
