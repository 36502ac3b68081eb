import type { RunAnswer } from '#app/runs/report-run.ts';
import type { RunRoom } from '#app/runs/run-room.ts';
import type { Invocation } from '#cli/args/invocation.ts';
import type { ExitCode } from '#schema/exit-codes.ts';
import { askerOf } from './confirm.ts';
import { pageOf } from './page.ts';
import { printRun } from './print-run.ts';
import { runProgress } from './run-progress.ts';

type Surroundings = Pick<Invocation, 'globals' | 'terminal' | 'onInterrupt' | 'env'>;
type Workshop = Awaited<ReturnType<RunRoom['workshop']>>;

interface Driven {
  readonly room: RunRoom;
  readonly workshop: Workshop;
  readonly run: string;
  /** `--yes`: ask nothing. */
  readonly isSure: boolean;
}

/** Drives a run in the foreground and reports. Ctrl-C stops it cleanly; then the command line exits. */
export async function driveInForeground(surroundings: Surroundings, driven: Driven): Promise<ExitCode> {
  const answer = await drive(surroundings, driven);
  return printRun(surroundings, answer);
}

export async function drive(
  surroundings: Surroundings,
  { room, workshop, run, isSure }: Driven,
): Promise<RunAnswer> {
  // Commands that only read a run must not load what drives one.
  const { driveHere } = await import('#app/runs/drive-run.ts');
  const { globals, terminal, env } = surroundings;
  const progress = runProgress(process.stderr, {
    isQuiet: globals.quiet === true,
    paint: pageOf(terminal, env).paint,
  });
  try {
    const ask = isSure || globals.json ? null : askerOf(terminal);
    return await driveHere(surroundings, room, workshop, run, {
      observe: progress.observe,
      ask:
        ask &&
        ((question) => {
          progress.end();
          return ask(question);
        }),
    });
  } finally {
    progress.end();
  }
}
