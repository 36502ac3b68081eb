import { visibleLine } from '#lib/visible.ts';
import { hang } from '#report/text/flow.ts';
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
  return `${gate} ${status}${detail} (${command})${proof}`;
}

export function renderRun(
  report: RunReport,
  next: readonly NextCommand[],
  page: Pick<Page, 'paint' | 'width'>,
): string {
  const { paint, width } = page;
  const { tokens, usd } = report.cost;
  const lines = [
    ...(tokens > 0 || usd > 0 ? [`${tokens} tokens, $${usd.toFixed(2)}`] : []),
    ...(report.containment === undefined ? [] : [`ran ${report.containment}`]),
    ...report.degraded.map((what) => `degraded: ${what}`),
  ];
  return [
    paint.bold(`Run ${report.run}: ${describeRunStatus(report, report.questions.length)}`),
    // With tasks, each says its own reason.
    ...(report.tasks.length === 0 && report.reason
      ? report.reason.split('; ').flatMap((line) => hang('  ', visibleLine(line), { width }))
      : []),
    ...taskLines(report, page),
    ...checkedLines(report).flatMap((line) => hang('  ', line, { width })),
    ...(report.landed
      ? hang('  ', `landed: ${report.landed.ref} is now ${report.landed.after.slice(0, 12)}`, {
          width,
          tint: paint.green,
        })
      : []),
    ...lines.flatMap((line) => hang('  ', line, { width })),
    ...report.questions.flatMap(({ id, text }) =>
      hang(`  asks ${id}: `, withoutReason(report, text), { width, tintLabel: paint.yellow }),
    ),
    ...nextLines(next),
  ].join('\n');
}

/** 'interrupted' is no status of the log: the process that drove the run is gone. */
export function describeRunStatus(
  { status, exitCode }: Pick<RunReport, 'status' | 'exitCode'>,
  questions: number,
): string {
  if (exitCode === exitCodes.interrupted) return 'interrupted';
  if (status !== 'awaiting_human') return status;
  if (questions === 0) return 'answered, and waits to be resumed';
  return questions === 1 ? 'waits for your answer' : `waits for a person, ${questions} questions`;
}

function taskLines({ tasks }: RunReport, { paint, width }: Pick<Page, 'paint' | 'width'>): string[] {
  const column = Math.max(0, ...tasks.map(({ id }) => id.length)) + 2;
  const gap = ' '.repeat(column + 2);
  return tasks.flatMap(({ id, status, commit, reason, claims, incidents = [] }) => {
    const style = status in colours ? colours[status as keyof typeof colours] : 'cyan';
    const details = [...(commit ? [commit.slice(0, 12)] : []), ...(reason ? [reason] : [])].join('  ');
    const label = `  ${id.padEnd(column)}${status.padEnd(10)} `;
    const tintLabel = (text: string) => text.slice(0, column + 2) + paint[style](text.slice(column + 2));
    return [
      ...hang(label, details, { width, tintLabel }).map((line) => line.trimEnd()),
      ...incidents.flatMap((what) => hang(gap, what, { width, tint: paint.yellow })),
      ...claims.flatMap((claim) => hang(gap, describeClaim(claim), { width, tint: paint.dim })),
    ];
  });
}

/** A question about a task repeats its reason, which is printed beside the task already. */
function withoutReason({ tasks }: RunReport, text: string): string {
  const said = tasks.find(({ reason }) => reason && text.endsWith(`: ${reason}`));
  return said?.reason ? text.slice(0, -said.reason.length - 2) : text;
}

/** Each command alone on its line, so that it can be copied. What the same answer does is said once. */
function nextLines(next: readonly NextCommand[]): string[] {
  const said = new Set(['']);
  const lines = next.flatMap(({ command, effect }) => {
    const isNews = !said.has(effect);
    said.add(effect);
    return [`  ${command}`, ...(isNews ? [`      ${visibleLine(effect)}`] : [])];
  });
  return lines.length === 0 ? [] : ['Next:', ...lines];
}

/** What the answer is based on, and what it does not cover. */
function checkedLines(report: RunReport): string[] {
  const short = (ref: string) => ref.replace(`joinery/${report.run}/`, '');
  const { together, not } = report.checked;
  return [
    ...(together.length > 1 ? [`checked against each other: ${together.map(short).join(', ')}`] : []),
    ...(not.length > 0
      ? [
          `not checked: ${not.map(({ what, why }) => `${short(what)} (${withoutReason(report, why)})`).join(', ')}`,
        ]
      : []),
  ];
}
