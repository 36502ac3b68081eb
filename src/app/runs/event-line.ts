import { describeClash } from '#crew/state/clash.ts';
import { logLine } from '#crew/state/projections.ts';
import { visibleLine } from '#lib/visible.ts';
import type { DataOf, RunEvent } from '#schema/event.ts';
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
      return event.data.spec
        ? `created for ${visibleLine(event.data.spec.path)} on ${event.data.baseRef}`
        : `created with ${event.data.plan.tasks.length} tasks on ${event.data.baseRef}`;
    case 'run.phase':
      return visibleLine(`${event.data.phase} ${event.data.status}: ${event.data.detail}`).replace(/:$/, '');
    case 'run.forked':
      return `forked from run ${event.data.from} at ${visibleLine(event.data.at)}`;
    case 'run.consulted':
      return `asked the ${event.data.role} (${event.data.agent}): ${event.data.outcome}`;
    case 'run.planned':
      return `planned: ${event.data.plan.tasks.map(({ id }) => id).join(', ')}`;
    case 'run.extended':
      return visibleLine(`task ${event.data.task.id} added: ${event.data.task.title}`);
    case 'run.landing':
      return event.data.unproven === undefined
        ? 'is to land'
        : visibleLine(`is to land although nothing was run on it: decided by ${event.data.unproven}`);
    case 'run.settled':
      return event.data.isPartial
        ? 'goes on without the work that findings ask about'
        : `goes on with ${event.data.accept.length} accepted findings`;
    case 'run.undone':
      return `no longer part of ${event.data.ref}: ${event.data.landed.slice(0, 12)}`;
    case 'run.landed':
      return `landed on ${event.data.ref}: ${event.data.after.slice(0, 12)}`;
    case 'run.refused': {
      const { what, process, mark } = event.data;
      return visibleLine(`refused: ${what}, tried by ${process} of ${mark}`);
    }
    case 'run.opened':
      return visibleLine(
        `driven by ${event.data.holder}${event.data.containment === undefined ? '' : `; work runs ${event.data.containment}`}`,
      );
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
    case 'run.signalled':
      return visibleLine(`${event.data.name} was sent by ${event.data.by}`);
    case 'run.reopened':
      return `opened again: ${visibleLine(event.data.reason)}`;
    case 'run.contracted': {
      const { change, task, told } = event.data;
      const who = told.length === 0 ? 'no other task depends on it' : `told: ${told.join(', ')}`;
      return visibleLine(`contract changed for ${task}: ${change.item} (${change.reason}); ${who}`);
    }
    case 'run.degraded':
      return `degraded: ${visibleLine(event.data.what)}`;
    case 'run.ended':
      return visibleLine(`${event.data.status} ${event.data.reason}`);
    case 'question.asked':
      return `question ${event.data.id}: ${visibleLine(event.data.text)}`;
    case 'question.answered':
      return visibleLine(
        `question ${event.data.id} answered: ${event.data.answer} (by ${event.data.by}${event.data.who === undefined ? '' : `: ${event.data.who}`})`,
      );
    default:
      return null;
  }
}

function stepLine(event: RunEvent): string | null {
  switch (event.type) {
    case 'step.accepted':
      return `accepted ${event.data.commit.slice(0, 12)}`;
    case 'step.checked':
      return checkLine(event.data);
    case 'attempt.told':
      return visibleLine(
        `reported before it finished: ${event.data.clashes.map(({ message }) => message).join('; ')}`,
      );
    case 'attempt.stepped':
      return steppedLine(event.data);
    case 'attempt.steered':
      return visibleLine(`heard: ${event.data.texts.join('; ')}`);
    case 'step.steered':
      return visibleLine(
        `a ${event.data.by}${event.data.who === undefined ? '' : `, ${event.data.who},`} says: ${event.data.text}`,
      );
    case 'step.stopping':
      return visibleLine(event.data.reason);
    case 'step.waiting':
      return event.data.reason;
    case 'step.told':
      return visibleLine(`told: ${event.data.message}`);
    case 'step.revising':
    case 'step.escalated':
    case 'step.failed':
    case 'step.skipped':
      return visibleLine(`${event.type.slice('step.'.length)}: ${event.data.reason}`);
    case 'step.retried':
      return visibleLine(`retry, requested by a ${event.data.by}: ${event.data.context}`);
    case 'work.kept':
      return `kept ${event.data.commit.slice(0, 12)} as ${event.data.ref}`;
    default:
      return null;
  }
}

/** `step plan (Plan the slices): accepted` */
function steppedLine({ workflow, run, step, title, status, detail }: DataOf<'attempt.stepped'>): string {
  const what = step === null ? `workflow ${workflow} (${run})` : `step ${step} (${title})`;
  return visibleLine(`${what}: ${status}${detail === '' ? '' : `, ${detail}`}`);
}

/** `check against a, b: Blocking findings: 1 → 0 (1 fixed, 0 remaining, 0 new)` */
function checkLine({ against, delta, status, reason, clashes, shown = [] }: DataOf<'step.checked'>): string {
  const { before, fixed, remaining, new: fresh } = delta;
  const others = against.map(({ task, state }) => (state === 'accepted' ? task : `${task} (in flight)`));
  const what = others.length === 0 ? 'check against the base' : `check against ${others.join(', ')}`;
  const counts = `Blocking findings: ${before} → ${remaining + fresh} (${fixed} fixed, ${remaining} remaining, ${fresh} new)`;
  const rest = status === 'inconclusive' ? [`inconclusive: ${reason ?? ''}`] : clashes.map(describeClash);
  const told = shown.map((clash) => `important: ${describeClash(clash)}`);
  return visibleLine([`${what}: ${counts}`, ...rest, ...told].join('; '));
}
