import { groupCpuMs } from '#process/group-cpu.ts';

const glanceMs = 250;
/** Upper limit of elapsed time, for a program that gets hardly any CPU or waits forever. */
const patience = 10;

export interface CpuWatch {
  /** Called repeatedly with the CPU time used since the last call. */
  readonly onSpent: (cpuMs: number) => void;
  readonly onExceeded: () => void;
}

/**
 * Calls back once when the processes of a group have used this much CPU time from now on, or none for as long.
 * Elapsed time does not count: on a busy machine the same work takes many times as long. Where CPU time cannot be
 * measured, elapsed time is used. The returned function ends the watch.
 */
export function limitCpu(group: number, limitMs: number, watch: CpuWatch): () => void {
  const started = performance.now();
  const before = groupCpuMs(group) ?? 0;
  let used = 0;
  let workedAt = started;
  const look = () => {
    const now = performance.now();
    const total = groupCpuMs(group);
    // The CPU time of a process is lost when no parent waits for it.
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
