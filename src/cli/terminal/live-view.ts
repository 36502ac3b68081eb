import { countedAttempts, isSettled, openAttempt, type RunState, type StepState } from '#crew/state/state.ts';
import { visibleLine } from '#lib/visible.ts';
import { formatCount, formatElapsed } from './figures.ts';
import type { Paint } from './paint.ts';

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly now: number;
  readonly paint: Paint;
}

/** The run at a glance: what is done, who is at what, what comes next. One string per line. */
export function renderLive(run: string, state: RunState, { width, height, now, paint }: Frame): string[] {
  const steps = [...state.steps.values()];
  const active = steps.filter((step) => openAttempt(step) !== null);
  const waiting = steps.filter((step) => !isSettled(step) && openAttempt(step) === null);
  const room = Math.max(1, height - 4);
  const lines = active.slice(0, room).map((step) => activeLine(step, now));
  if (active.length > room) lines.push(`  … and ${active.length - room} more at work`);
  return [headLine(run, state, now), ...lines, nextLine(waiting)]
    .filter((line) => line !== '')
    .map((line, index) => {
      const cut = line.length > width ? `${line.slice(0, width - 1)}…` : line;
      return index === 0 ? paint('bold', cut) : cut;
    });
}

function headLine(run: string, state: RunState, now: number): string {
  const steps = [...state.steps.values()];
  const count = (status: StepState['status']) => steps.filter((step) => step.status === status).length;
  const bad = count('failed') + count('escalated');
  return [
    `run ${run}`,
    `${count('accepted')} of ${steps.length} accepted`,
    ...(bad > 0 ? [`${bad} in trouble`] : []),
    ...(state.isHalted ? ['halted'] : []),
    `${formatCount(state.usage.tokens)} tokens`,
    ...(state.usage.usd > 0 ? [`$${state.usage.usd.toFixed(2)}`] : []),
    formatElapsed(now - Date.parse(state.createdAt)),
  ].join(' · ');
}

function activeLine(step: StepState, now: number): string {
  const attempt = openAttempt(step);
  if (!attempt) return '';
  const tries = countedAttempts(step).length > 1 ? ` (attempt ${attempt.n})` : '';
  const { tokens } = attempt.usage;
  const parts = [
    `  ${step.task.id}${tries}`,
    attempt.driver,
    visibleLine(attempt.tool) || step.status,
    ...(tokens > 0 ? [`${formatCount(tokens)} tokens`] : []),
    formatElapsed(now - Date.parse(attempt.startedAt)),
  ];
  return parts.join('  ');
}

function nextLine(waiting: readonly StepState[]): string {
  if (waiting.length === 0) return '';
  const named = waiting.slice(0, 5).map((step) => {
    return step.waitingFor > 0 ? `${step.task.id} (waits for ${step.waitingFor})` : step.task.id;
  });
  const more = waiting.length > named.length ? ` and ${waiting.length - named.length} more` : '';
  return `  next: ${named.join(', ')}${more}`;
}
