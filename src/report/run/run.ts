import { visibleLine } from '#lib/visible.ts';
import type { Page } from '#report/text/page.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { ProvenClaim } from '#schema/gates.ts';
import type { NextCommand, RunReport } from '#schema/run.ts';

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

export function renderRun(
  report: RunReport,
  next: readonly NextCommand[],
  { paint }: Pick<Page, 'paint'>,
): string {
  const column = Math.max(...report.tasks.map(({ id }) => id.length)) + 2;
  const tasks = report.tasks.flatMap(({ id, status, commit, reason, claims, incidents = [] }) => {
    const style = status in colours ? colours[status as keyof typeof colours] : 'cyan';
    const details = [...(commit ? [commit.slice(0, 12)] : []), ...(reason ? [visibleLine(reason)] : [])];
    const line = `  ${id.padEnd(column)}${paint[style](status.padEnd(10))} ${details.join('  ')}`.trimEnd();
    const remarks = incidents.map((what) => `  ${' '.repeat(column)}${paint.yellow(visibleLine(what))}`);
    const proofs = claims.map((claim) => `  ${' '.repeat(column)}${paint.dim(describeClaim(claim))}`);
    return [line, ...remarks, ...proofs];
  });
  const { tokens } = report.cost;
  const cost =
    tokens > 0 || report.cost.usd > 0 ? [`  ${tokens} tokens, $${report.cost.usd.toFixed(2)}`] : [];
  const landed = report.landed
    ? [paint.green(`  landed: ${visibleLine(report.landed.ref)} is now ${report.landed.after.slice(0, 12)}`)]
    : [];
  const degraded = report.degraded.map((what) => `  degraded: ${visibleLine(what)}`);
  return [
    paint.bold(
      `Run ${report.run}: ${report.exitCode === exitCodes.interrupted ? 'interrupted' : report.status}`,
    ),
    ...tasks,
    ...checkedLines(report),
    ...cost,
    ...landed,
    ...degraded,
    ...report.questions.map(({ id, text }) => `  ${paint.yellow(`asks ${id}:`)} ${visibleLine(text)}`),
    ...(next.length > 0 ? ['Next:', ...next.flatMap(nextLines)] : []),
  ].join('\n');
}

/** The command alone on its line, so that it can be copied. */
function nextLines({ command, effect }: NextCommand): string[] {
  return [`  ${command}`, ...(effect === '' ? [] : [`      ${visibleLine(effect)}`])];
}

/** What the answer is based on, and what it does not cover. */
function checkedLines({ checked, run }: RunReport): string[] {
  const short = (ref: string) => ref.replace(`joinery/${run}/`, '');
  const { together, not } = checked;
  return [
    ...(together.length > 1
      ? [`  checked against each other: ${visibleLine(together.map(short).join(', '))}`]
      : []),
    ...not.map(({ what, why }) => `  not checked: ${visibleLine(`${short(what)} (${why})`)}`),
  ];
}
