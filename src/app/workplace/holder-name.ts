import { hostname } from 'node:os';

/** The name by which a process marks the runs it drives: 'host:4711'. */
export function holderName(pid = process.pid): string {
  return `${hostname()}:${pid}`;
}
