import { type GuardedEnd, hasLostGuard } from '#process/start-guarded.ts';
import { startFault } from '#schema/environment-fault.ts';
import { EnvironmentError } from '#schema/errors.ts';

/** The fault of this machine that ended an agent; null if the agent ended by itself. */
export function machineFault(agent: string, end: GuardedEnd): EnvironmentError | null {
  if (end.how === 'not-started') return startFault(agent, end.reason);
  if (!hasLostGuard(end)) return null;
  return new EnvironmentError({
    code: 'guard-killed',
    message: `the process that guards ${agent} was killed, by something outside or by the agent itself`,
    hint: 'see what kills processes here (dmesg | tail), then: joinery resume',
    retry: true,
  });
}
