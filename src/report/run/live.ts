import { visibleLine } from '#lib/visible.ts';
import { formatCount, formatElapsed } from '#report/text/figures.ts';
import type { Paint } from '#report/text/paint.ts';
import type { LiveRun, LiveTask } from '#schema/live-run.ts';

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly now: number;
  readonly paint: Paint;
}

/** The run at a glance: one row per task, running ones first. One string per line. */
export function renderLive(live: LiveRun, { width, height, now, paint }: Frame): string[] {
  const tasks = live.tasks.toSorted((a, b) => rankOf(a) - rankOf(b));
  const extra = [phaseLine(live), ...seamLines(live)].filter((line) => line !== '');
  const room = Math.max(1, height - 2 - extra.length);
  const shown = tasks.length > room ? tasks.slice(0, room - 1) : tasks;
  const cut = (line: string) => (line.length > width ? `${line.slice(0, width - 1)}…` : line);
  const isNarrow = width < narrow;
  const rows = alignedRows(shown.map((task) => cellsOf(task, now, isNarrow))).map(cut);
  return [
    paint.bold(cut(headLine(live, now))),
    ...extra.map(cut),
    ...rows.map((row, index) => (shown[index]?.startedAt ? row : paint.dim(row))),
    ...(shown.length < tasks.length ? [cut(restLine(tasks.slice(shown.length)))] : []),
  ];
}

const phaseMarks = { begun: '…', done: '✓', failed: '✗' } as const;

/** `  plan ✓ · verify ✓ · tasks … · integrate` */
function phaseLine({ phases }: LiveRun): string {
  if (phases.length === 0) return '';
  return `  ${phases.map(({ phase, status }) => `${phase} ${phaseMarks[status]}`).join(' · ')}`;
}

const mostSeams = 3;

/** What does not fit together yet, by name; empty while everything fits. */
function seamLines({ seams }: LiveRun): string[] {
  const { open, fixed } = seams;
  if (open.length + fixed === 0) return [];
  const more = open.length > mostSeams ? [`    … and ${open.length - mostSeams} more`] : [];
  return [
    `  seams: ${open.length} open, ${fixed} fixed`,
    ...open.slice(0, mostSeams).map((seam) => `    ${visibleLine(seam)}`),
    ...more,
  ];
}

/** Running, in trouble, waiting, done. */
function rankOf({ status, startedAt }: LiveTask): number {
  if (startedAt !== null) return 0;
  if (status === 'failed' || status === 'escalated') return 1;
  return status === 'accepted' || status === 'skipped' ? 3 : 2;
}

function headLine({ run, tasks, isHalted, tokens, usd, createdAt }: LiveRun, now: number): string {
  const accepted = tasks.filter(({ status }) => status === 'accepted').length;
  const troubled = tasks.filter((task) => rankOf(task) === 1).length;
  return [
    `run ${run}`,
    `${accepted} of ${tasks.length} accepted`,
    ...(troubled > 0 ? [`${troubled} in trouble`] : []),
    ...(isHalted ? ['halted'] : []),
    // What a narrow terminal cuts off is last.
    formatElapsed(now - Date.parse(createdAt)),
    ...(usd > 0 ? [`$${usd.toFixed(2)}`] : []),
    `${formatCount(tokens)} tokens`,
  ].join(' · ');
}

/** Columns below which a cell of cost has the money alone: what a task waits for must fit. */
const narrow = 80;

/** ['t0', 'running', '1:05', '1.2k', 'claude edit src/a.ts'] */
function cellsOf(task: LiveTask, now: number, isNarrow: boolean): string[] {
  const { id, status, attempt, startedAt, tokens, usd, doing, waitsFor } = task;
  return [
    attempt === null ? id : `${id} #${attempt}`,
    status,
    startedAt === null ? '' : formatElapsed(now - Date.parse(startedAt)),
    spentOf(tokens, usd, isNarrow),
    waitsFor.length > 0 ? `waits for ${waitsFor.join(', ')}` : visibleLine(doing),
  ];
}

function spentOf(tokens: number, usd: number, isNarrow: boolean): string {
  if (tokens === 0) return '';
  const money = usd > 0 ? `$${usd.toFixed(2)}` : '';
  return isNarrow && money !== '' ? money : `${formatCount(tokens)} ${money}`.trimEnd();
}

function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths =
    rows[0]?.map((_, column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}

function restLine(tasks: readonly LiveTask[]): string {
  const counts = new Map<string, number>();
  for (const { status } of tasks) counts.set(status, (counts.get(status) ?? 0) + 1);
  return `  … and ${tasks.length} more: ${[...counts].map(([status, count]) => `${count} ${status}`).join(', ')}`;
}
