import { shellWord } from '#lib/shell-word.ts';
import type { NextCommand } from '#schema/run.ts';
import { hasNothingToLand, isSettled, openQuestions, type RunState, whyUnproven } from './state.ts';

/** Commands a person can paste into a terminal now, the most useful first. */
export function nextCommands(run: string, state: RunState): NextCommand[] {
  if (state.landed !== null) return [aboutRun(`receipt verify ${run}`), aboutRun(`undo ${run}`)];
  if (state.status === 'done')
    return [aboutRun(hasNothingToLand(state) ? `report ${run}` : landing(run, state))];
  if (state.status === 'cancelled') return [...landAccepted(run, state), aboutRun(`prune ${run}`)];
  if (state.status === 'failed') return afterFailure(run, state);
  const questions = openQuestions(state).flatMap(({ id, options, about }) =>
    options.map(({ value, effect }) => command(`questions answer ${id} ${value}`, effect, about)),
  );
  const isOpen = [...state.steps.values()].some((step) => !isSettled(step));
  const land = openQuestions(state).some(({ kind }) => kind === 'land')
    ? [aboutRun(landing(run, state))]
    : [];
  // All tasks are accepted, but the run was interrupted before landing.
  const isCutOff = state.pausedBy !== null;
  const goesOn = isOpen || questions.length > 0 || isCutOff;
  if (!goesOn && land.length === 0) return [aboutRun(`logs ${run} --follow`)];
  return [...land, ...questions, ...(goesOn ? [aboutRun(`resume ${run}`)] : [])];
}

function landing(run: string, state: RunState): string {
  const decided = whyUnproven(state) === null ? '' : ' --unproven';
  return `integrate ${run} --land --update-checkout${decided}`;
}

function command(words: string, effect: string, task: string | null): NextCommand {
  return { command: `joinery ${words}`, effect, task };
}

function aboutRun(words: string, effect = ''): NextCommand {
  return command(words, effect, null);
}

function landAccepted(run: string, { steps }: RunState): NextCommand[] {
  const accepted = [...steps.values()].filter((step) => step.status === 'accepted');
  if (accepted.length === 0) return [];
  const names = accepted.map(({ task }) => task.id).join(', ');
  return [
    aboutRun(`integrate ${run} --partial --land --update-checkout`, `lands what was accepted: ${names}`),
  ];
}

function afterFailure(run: string, state: RunState): NextCommand[] {
  const broken = [...state.steps.values()].filter(
    ({ status }) => status === 'failed' || status === 'escalated',
  );
  if (broken.length > 0)
    return [
      ...broken.map(({ task }) =>
        command(
          `retry ${run} --task ${task.id}`,
          'add --context to give its agent more information',
          task.id,
        ),
      ),
      aboutRun(`rework ${run}`, 'one task from all that remains, with what was found'),
      ...landAccepted(run, state),
    ];
  if (state.steps.size === 0) return beforeTasks(run, state);
  return [
    ...forTarget(run, state),
    aboutRun(`integrate ${run} --partial`, 'says which tasks fit and would land'),
    aboutRun(`report ${run}`),
  ];
}

/** Every task was accepted, but the result does not fit its target branch. */
function forTarget(run: string, { integrations, target }: RunState): NextCommand[] {
  const status = integrations.at(-1)?.report.status;
  return status === 'blocked' || status === 'conflict' || status === 'lost'
    ? [aboutRun(`rework ${run}`, `one task that makes the work fit ${target}`)]
    : [];
}

/** The spec was refused, or no plan could be made from it. */
function beforeTasks(run: string, { spec }: RunState): NextCommand[] {
  if (spec === null) return [aboutRun(`report ${run}`)];
  const path = shellWord(spec.path);
  return [
    aboutRun(`spec audit ${path}`, 'shows what is missing in the spec'),
    aboutRun(`run ${path}`, 'starts again when it is fixed'),
  ];
}
