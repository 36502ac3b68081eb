import { hostname } from 'node:os';
import type { Invocation } from '#cli/args/invocation.ts';
import { driveRun } from '#crew/run-plan.ts';
import { nextCommands } from '#crew/state/projections.ts';
import { reportOf } from '#crew/state/report.ts';
import type { RunState } from '#crew/state/state.ts';
import type { Workshop } from '#crew/workshop.ts';
import { visibleLine } from '#lib/visible.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { ProvenClaim } from '#schema/gates.ts';
import type { RunReport } from '#schema/run.ts';
import type { Paint } from './paint.ts';
import { runProgress } from './run-progress.ts';

type Surroundings = Pick<Invocation, 'globals' | 'terminal' | 'onInterrupt'>;

/** Drives a run in the foreground and reports. Ctrl-C stops it in order; the command line ends the process then. */
export async function driveInForeground(
  { globals, terminal, onInterrupt }: Surroundings,
  workshop: Workshop,
  run: string,
): Promise<ExitCode> {
  const stop = new AbortController();
  const isQuiet = globals.quiet === true;
  const progress = runProgress(run, process.stderr, { isQuiet, paint: terminal.paint });
  const ended = Promise.withResolvers<void>();
  const forget = onInterrupt(() => {
    stop.abort('interrupted');
    return ended.promise;
  });
  try {
    const state = await driveRun(workshop, run, {
      stop: stop.signal,
      holder: `${hostname()}:${process.pid}`,
      observe: progress.observe,
    });
    progress.end();
    return printRun({ globals, terminal }, run, state);
  } finally {
    progress.end();
    ended.resolve();
    forget();
  }
}

export function printRun(
  { globals, terminal }: Pick<Surroundings, 'globals' | 'terminal'>,
  run: string,
  state: RunState,
): ExitCode {
  const report = reportOf(run, state);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderRun(report, nextCommands(run, state), terminal.paint));
  return report.exitCode as ExitCode;
}

const colours = {
  accepted: 'green',
  failed: 'red',
  escalated: 'yellow',
  skipped: 'dim',
} as const;

/** `test pass: 12 passed (npm test), evidence 8c1f…` */
function describeClaim({ gate, status, reason, command, evidence }: ProvenClaim): string {
  const detail = reason === '' ? '' : `: ${reason}`;
  const proof = evidence === null ? '' : `, evidence ${evidence}`;
  return visibleLine(`${gate} ${status}${detail} (${command})${proof}`);
}

function renderRun(report: RunReport, next: readonly string[], paint: Paint): string {
  const column = Math.max(...report.tasks.map(({ id }) => id.length)) + 2;
  const tasks = report.tasks.flatMap(({ id, status, commit, reason, claims, incidents = [] }) => {
    const style = status in colours ? colours[status as keyof typeof colours] : 'cyan';
    const details = [...(commit ? [commit.slice(0, 12)] : []), ...(reason ? [visibleLine(reason)] : [])];
    const line = `  ${id.padEnd(column)}${paint(style, status.padEnd(10))} ${details.join('  ')}`.trimEnd();
    const remarks = incidents.map((what) => `  ${' '.repeat(column)}${paint('yellow', visibleLine(what))}`);
    const proofs = claims.map((claim) => `  ${' '.repeat(column)}${paint('dim', describeClaim(claim))}`);
    return [line, ...remarks, ...proofs];
  });
  const { tokens } = report.cost;
  const cost =
    tokens > 0 || report.cost.usd > 0 ? [`  ${tokens} tokens, $${report.cost.usd.toFixed(2)}`] : [];
  const degraded = report.degraded.map((what) => `  degraded: ${visibleLine(what)}`);
  return [
    paint(
      'bold',
      `Run ${report.run}: ${report.exitCode === exitCodes.interrupted ? 'interrupted' : report.status}`,
    ),
    ...tasks,
    ...cost,
    ...degraded,
    ...(next.length > 0 ? ['Next:', ...next.map((command) => `  ${command}`)] : []),
  ].join('\n');
}
