import { logLine } from '#crew/state/projections.ts';
import { visibleLine } from '#lib/visible.ts';
import type { RunEvent } from '#schema/event.ts';
import { formatBudget, formatSpent } from '#schema/spending.ts';

/** An event as one line of `logs` and of runs without a terminal; null for bookkeeping. */
export function eventLine(event: RunEvent): string | null {
  const text = runLine(event) ?? stepLine(event) ?? logLine(event);
  if (text === null) return null;
  const who =
    event.step === undefined
      ? 'run'
      : event.attempt === undefined
        ? event.step
        : `${event.step} #${event.attempt}`;
  return `${event.at.slice(11, 19)} ${who}: ${text}`;
}

function runLine(event: RunEvent): string | null {
  switch (event.type) {
    case 'run.created':
      return `created with ${event.data.plan.tasks.length} tasks on ${event.data.baseRef}`;
    case 'run.opened':
      return `driven by ${visibleLine(event.data.holder)}`;
    case 'run.paused':
      return event.data.reason === 'interrupted' ? 'interrupted' : 'waits for a person';
    case 'run.halted':
      return visibleLine(
        `halted: ${event.data.reason ?? `${event.data.failed} of ${event.data.settled} tasks failed`}`,
      );
    case 'run.unhalted':
      return 'goes on';
    case 'run.warned':
      return `${formatSpent(event.data)} are spent of a budget of ${formatBudget(event.data.budget)}`;
    case 'run.overspent':
      return `the budget of ${formatBudget(event.data.budget)} is spent: agents are ended`;
    case 'run.budgeted':
      return `the budget is ${formatBudget(event.data)}`;
    case 'run.reopened':
      return `opened again: ${visibleLine(event.data.reason)}`;
    case 'run.degraded':
      return `degraded: ${visibleLine(event.data.what)}`;
    case 'run.ended':
      return visibleLine(`${event.data.status} ${event.data.reason}`);
    case 'question.asked':
      return `question ${event.data.id}: ${visibleLine(event.data.text)}`;
    case 'question.answered':
      return `question ${event.data.id} answered: ${event.data.answer} (by ${event.data.by})`;
    default:
      return null;
  }
}

function stepLine(event: RunEvent): string | null {
  switch (event.type) {
    case 'step.accepted':
      return `accepted ${event.data.commit.slice(0, 12)}`;
    case 'step.revising':
    case 'step.escalated':
    case 'step.failed':
    case 'step.skipped':
      return visibleLine(`${event.type.slice('step.'.length)}: ${event.data.reason}`);
    case 'step.retried':
      return visibleLine(`another try, asked for by a ${event.data.by}: ${event.data.context}`);
    case 'work.kept':
      return `kept ${event.data.commit.slice(0, 12)} as ${event.data.ref}`;
    default:
      return null;
  }
}
