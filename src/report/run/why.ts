import { visibleLine } from '#lib/visible.ts';
import type { WhyReport } from '#schema/why-report.ts';

/** The history of a task in at most ten lines. */
export function renderWhy(report: WhyReport): string[] {
  const { task, title, status, attempts, failure } = report;
  const tries =
    attempts.length === 0
      ? 'never tried'
      : attempts.length === 1
        ? 'one attempt'
        : `${attempts.length} attempts`;
  const last = attempts.at(-1);
  const told = [
    ...(last && last.remarks.length > 0 ? [`Remarks: ${listed(last.remarks)}`] : []),
    ...(last && last.said !== '' ? [`It said: ${short(last.said.replace(/\s+/g, ' '))}`] : []),
  ];
  const shown = attempts.slice(-(3 - told.length));
  return [
    `Task ${task} (${short(title)}): ${status}, ${tries}`,
    ...(failure
      ? [`${failure.class}: ${report.meaning}; ${short(failure.why)}`]
      : report.reason === ''
        ? []
        : [short(report.reason)]),
    ...(report.blockedBy.length > 0 ? [`It waits for ${report.blockedBy.join(', ')}.`] : []),
    ...shown.map(attemptLine),
    ...told,
    ...(last?.commit ? [`Work: git show ${last.commit.slice(0, 12)}`] : []),
    ...(last?.kept ? [`Kept: git show ${last.kept}`] : []),
    ...(last ? [`Log: ${last.log}`] : []),
    ...report.next.slice(0, 1).map((command) => `Next: ${command}`),
  ];
}

function attemptLine({ n, tier, outcome, verdict, failure, reasons }: WhyReport['attempts'][number]): string {
  const end = outcome === null ? 'at work' : outcome === 'ok' ? (verdict ?? 'ended') : outcome;
  const why = reasons[0] ?? failure?.why ?? '';
  const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : '';
  return `  #${n} ${tier}, ${end}${why === '' ? '' : `: ${short(why)}${more}`}`;
}

function listed(remarks: readonly string[]): string {
  const more = remarks.length > 1 ? ` (and ${remarks.length - 1} more)` : '';
  return `${short(remarks[0] ?? '')}${more}`;
}

const longest = 160;

function short(text: string): string {
  const line = visibleLine(text.split('\n', 1)[0] ?? '');
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
