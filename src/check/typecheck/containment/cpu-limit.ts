import { groupCpuMs } from '#process/group-cpu.ts';

const glancesPerLimit = 20;
const [shortestGlanceMs, longestGlanceMs] = [50, 1000];
/** A program that hardly gets a processor, or waits and wakes without end, is given up at last. */
const patience = 10;

/**
 * Calls back once when the processes of a group have used so much CPU time since now, or none at all for as long.
 * Not when so much time has passed: on a busy machine the same work takes many times as long. Where CPU time cannot be
 * told, passing time is all there is.
 */
export function limitCpu(group: number, limitMs: number, onExceeded: () => void): () => void {
  const started = performance.now();
  const before = groupCpuMs(group) ?? 0;
  let most = 0;
  let workedAt = started;
  const glance = () => {
    const now = performance.now();
    const total = groupCpuMs(group);
    // What a process has used goes with it when nobody has waited for it.
    const used = total === null ? now - started : Math.max(most, total - before);
    if (used > most) workedAt = now;
    most = used;
    if (used < limitMs && now - workedAt < limitMs && now - started < patience * limitMs) return;
    clearInterval(timer);
    onExceeded();
  };
  const every = Math.min(longestGlanceMs, Math.max(shortestGlanceMs, limitMs / glancesPerLimit));
  const timer = setInterval(glance, every);
  return () => clearInterval(timer);
}
