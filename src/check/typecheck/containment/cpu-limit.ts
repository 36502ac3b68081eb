import { groupCpuMs } from '#process/group-cpu.ts';

const glanceMs = 250;
/** A program that hardly gets a processor, or waits and wakes without end, is given up at last. */
const patience = 10;

export interface CpuWatch {
  /** Called again and again with what was used since the last time. */
  readonly onSpent: (cpuMs: number) => void;
  readonly onExceeded: () => void;
}

/**
 * Calls back once when the processes of a group have used so much CPU time since now, or none at all for as long.
 * Not when so much time has passed: on a busy machine the same work takes many times as long. Where CPU time cannot be
 * told, passing time is all there is. What it returns ends the watch.
 */
export function limitCpu(group: number, limitMs: number, watch: CpuWatch): () => void {
  const started = performance.now();
  const before = groupCpuMs(group) ?? 0;
  let used = 0;
  let workedAt = started;
  const look = () => {
    const now = performance.now();
    const total = groupCpuMs(group);
    // What a process has used goes with it when nobody has waited for it.
    const since = total === null ? now - started : Math.max(used, total - before);
    if (since > used) {
      workedAt = now;
      watch.onSpent(since - used);
    }
    used = since;
    return now;
  };
  const timer = setInterval(() => {
    const now = look();
    if (used < limitMs && now - workedAt < limitMs && now - started < patience * limitMs) return;
    clearInterval(timer);
    watch.onExceeded();
  }, glanceMs);
  return () => {
    clearInterval(timer);
    look();
  };
}
