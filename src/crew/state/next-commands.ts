import { visibleLine } from '#lib/visible.ts';
import { hasNothingToLand, isSettled, openQuestions, type RunState } from './state.ts';

/** What a person can type now, the most useful first. */
export function nextCommands(run: string, state: RunState): string[] {
  const questions = openQuestions(state).map(
    ({ id, options, text }) =>
      `joinery questions answer ${id} <${options.map(({ value }) => value).join('|')}> (${visibleLine(text)})`,
  );
  if (state.landed !== null) return [`joinery receipt verify ${run}`, `joinery undo ${run}`];
  if (state.status === 'done') return hasNothingToLand(state) ? [] : [`joinery integrate ${run} --land`];
  const accepted = [...state.steps.values()].filter(({ status }) => status === 'accepted');
  const names = accepted.map(({ task }) => task.id).join(', ');
  const landing =
    accepted.length === 0
      ? []
      : [`joinery integrate ${run} --partial --land --update-checkout (lands what was accepted: ${names})`];
  if (state.status === 'cancelled') return [...landing, `joinery prune ${run}`];
  const broken = [...state.steps.values()]
    .filter((step) => step.status === 'failed' || step.status === 'escalated')
    .map((step) => `joinery retry ${run} --task ${step.task.id} --context "…"`);
  if (state.status === 'failed')
    return broken.length > 0 || state.steps.size === 0
      ? [
          ...broken,
          ...(broken.length > 0
            ? [`joinery rework ${run} (one task from all that remains, with what was found)`]
            : []),
          ...landing,
        ]
      : [...forTarget(run, state), `joinery integrate ${run} --partial`, `joinery report ${run}`];
  const isOpen = [...state.steps.values()].some((step) => !isSettled(step));
  const land = openQuestions(state).some(({ kind }) => kind === 'land')
    ? [`joinery integrate ${run} --land`]
    : [];
  // All accepted, and cut off before it landed: that is left to do.
  const isCutOff = state.pausedBy !== null;
  const goesOn = isOpen || questions.length > 0 || isCutOff;
  return [...land, ...questions, ...(goesOn ? [`joinery resume ${run}`] : [])];
}

/** Every task was accepted, and the result does not fit the branch it is for. */
function forTarget(run: string, { integrations, target }: RunState): string[] {
  const status = integrations.at(-1)?.report.status;
  return status === 'blocked' || status === 'conflict' || status === 'lost'
    ? [`joinery rework ${run} (one task that makes the work fit ${target})`]
    : [];
}
