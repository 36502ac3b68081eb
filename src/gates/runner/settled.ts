import { startFault } from '#schema/environment-fault.ts';
import { EnvironmentError } from '#schema/errors.ts';
import type { Evidence } from '#schema/gates.ts';

type Ended = Pick<Evidence, 'outcome' | 'exitCode' | 'signal' | 'incidents' | 'command'> & {
  readonly hasLostGuard: boolean;
};

/** The shell's exit code for a program that SIGKILL ended. */
const killed = 128 + 9;

/**
 * The result of a command without interference. One that was killed, for example for lack of memory, is retried once: that
 * says nothing about the work. A guard lost twice, or a command that cannot start, is this machine's fault.
 */
export async function settled<E extends Ended>(once: () => Promise<E>, isOver: () => boolean): Promise<E> {
  const first = await once();
  const evidence = wasKilled(first) && !isOver() ? await once() : first;
  if (isOver()) return evidence;
  if (evidence.hasLostGuard)
    throw new EnvironmentError({
      code: 'guard-killed',
      message: `the process that guards '${evidence.command}' was killed twice, by something outside or by the command itself`,
      hint: 'see what kills processes here (dmesg | tail), then run it again; if it is the command, its work cannot be judged',
      retry: true,
    });
  if (evidence.outcome === 'not-started') {
    const reason = evidence.incidents.join('; ');
    throw (
      startFault(`'${evidence.command}'`, reason) ??
      new EnvironmentError({
        code: 'not-started',
        message: `'${evidence.command}' could not be started: ${reason}`,
        hint: 'free what is missing (memory, processes: ulimit -u, files: ulimit -n), then run it again',
        retry: true,
      })
    );
  }
  return evidence;
}

function wasKilled({ hasLostGuard, outcome, exitCode, signal }: Ended): boolean {
  return hasLostGuard || (outcome === 'exited' && (signal === 'SIGKILL' || exitCode === killed));
}
