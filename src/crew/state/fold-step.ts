import type { RunEvent, StepLevelType } from '#schema/event.ts';
import type { StepStatus } from '#schema/run.ts';
import { breaks } from '#schema/verdict.ts';
import { clashFindings, conflictFinding, isNotOfCheck } from './check-findings.ts';
import { demand } from './demand.ts';
import { park, releaseIfFree, reviveDependants } from './extend.ts';
import { applyToAttempt, closeAttempt, current, tellOf } from './fold-attempt.ts';
import { hasEnded, type RunState, type StepState, stepOf } from './state.ts';

const unsettled = ['pending', 'ready', 'running', 'submitted', 'checking', 'revising'] as const;

/** The states in which a step accepts each event. Progress events are allowed while it runs. */
const allowedFrom: Record<StepLevelType, readonly StepStatus[] | 'any'> = {
  'attempt.started': ['ready', 'revising'],
  'worktree.ready': ['running'],
  'attempt.prompted': ['running'],
  'attempt.session': ['running'],
  'attempt.said': ['running'],
  'attempt.used': ['running'],
  'attempt.permission': ['running'],
  'attempt.retrying': ['running'],
  'attempt.spent': ['running'],
  'handoff.refused': ['running'],
  'handoff.recorded': ['submitted', 'checking'],
  'attempt.told': ['running'],
  'attempt.steered': ['running'],
  'attempt.stepped': ['running'],
  'attempt.played': ['running'],
  'step.committed': ['submitted'],
  'work.kept': 'any',
  'attempt.grounded': ['checking'],
  'attempt.gated': ['checking'],
  'attempt.reviewed': ['checking'],
  'attempt.ended': ['running', 'submitted', 'checking'],
  'attempt.classified': ['checking'],
  'step.accepted': ['checking'],
  'step.checked': ['checking'],
  'step.waiting': ['checking'],
  'step.told': unsettled,
  'step.conflicted': ['checking'],
  'step.revising': ['checking'],
  'step.escalated': ['checking'],
  'step.steered': unsettled,
  'step.stopping': unsettled,
  'step.failed': unsettled,
  'step.skipped': unsettled,
  'step.retried': ['failed', 'escalated'],
};

/** Applies an event about one task. */
export function applyToStep(state: RunState, step: StepState, event: RunEvent<StepLevelType>): void {
  const from = allowedFrom[event.type];
  demand(event, from === 'any' || from.includes(step.status), `step ${step.task.id} is ${step.status}`);
  demand(event, !hasEnded(state), 'the run has ended');
  switch (event.type) {
    case 'step.committed':
      current(step, event).commit = event.data.commit;
      tellOf(current(step, event), event.data.incidents);
      step.commit = event.data.commit;
      step.files = event.data.files.map(({ path }) => path);
      step.status = 'checking';
      break;
    case 'step.accepted':
      accept(state, step, event);
      break;
    case 'step.checked':
      step.checks.push(event.data);
      current(step, event, true).findings = [
        ...current(step, event, true).findings.filter(isNotOfCheck),
        ...clashFindings(event.data),
      ];
      break;
    case 'step.waiting':
      park(state, step, event.data);
      break;
    case 'step.told':
      step.told = [...step.told.filter(({ id }) => id !== event.data.id), event.data];
      break;
    case 'step.conflicted':
      step.conflict = true;
      current(step, event, true).findings = [conflictFinding(event.data.paths)];
      break;
    case 'step.revising':
      Object.assign(step, { status: 'revising', reason: event.data.reason });
      break;
    case 'step.escalated':
      Object.assign(step, { status: 'escalated', reason: event.data.reason, conflict: event.data.conflict });
      break;
    case 'step.steered':
      step.context.push(event.data.text);
      step.unheard.push(event.data.text);
      break;
    case 'step.stopping':
      step.stopping = event.data.reason;
      break;
    case 'step.failed':
      Object.assign(step, { status: 'failed', reason: event.data.reason, stopping: null });
      closeAttempt(step, event.at);
      break;
    case 'step.skipped':
      Object.assign(step, { status: 'skipped', reason: event.data.reason, stopping: null });
      closeAttempt(step, event.at);
      break;
    case 'step.retried':
      retry(state, step, event);
      break;
    default:
      applyToAttempt(state, step, event);
  }
}

function accept(state: RunState, step: StepState, event: RunEvent<'step.accepted'>): void {
  const last = step.attempts.at(-1);
  demand(event, last?.verdict === 'approve', `its verdict is ${last?.verdict}`);
  const open = last?.findings.find(breaks);
  demand(event, open === undefined, `a blocking finding is open: ${open?.message}`);
  Object.assign(step, { status: 'accepted', reason: '', commit: event.data.commit });
  state.integration = { ...state.integration, commit: event.data.integration };
  for (const id of state.dependants.get(step.task.id) ?? []) {
    const dependant = stepOf(state, id);
    dependant.waitingFor -= 1;
    releaseIfFree(dependant);
  }
}

function retry(state: RunState, step: StepState, event: RunEvent<'step.retried'>): void {
  // An open workflow continues at its current step.
  const goesOn = event.data.keepsWork || step.attempts.at(-1)?.workflow?.isOpen;
  Object.assign(step, {
    status: 'ready',
    reason: '',
    conflict: false,
    // If its last attempt still counts, the next one starts from that commit.
    firstAttemptOfTry: Math.max(0, step.attempts.length - (goesOn ? 1 : 0)),
    parkedFor: null,
  });
  step.retries += 1;
  if (event.data.context !== '') step.context.push(event.data.context);
  reviveDependants(state, step.task.id);
}
