import { IllegalEventError } from '#durable/engine-error.ts';
import {
  type DataOf,
  isAboutRun,
  type RunEvent,
  type RunLevelType,
  type StepLevelType,
} from '#schema/event.ts';
import type { StepStatus } from '#schema/run.ts';
import { noSpending } from '#schema/spending.ts';
import { toolUse } from './classify.ts';
import { spend } from './ledger.ts';
import { type AttemptState, hasEnded, type RunState, type StepState, stateOf, stepOf } from './state.ts';

/** The state a log tells. Throws on a log that no run can have written. */
export function foldEvents(events: Iterable<RunEvent>): RunState {
  let state: RunState | null = null;
  for (const event of events) {
    if (state) applyEvent(state, event);
    else if (event.type === 'run.created') state = stateOf(event.data, event.at);
    else throw new IllegalEventError(event.type, 'a log begins with run.created');
  }
  if (!state) throw new Error('a run without events');
  return state;
}

/** Changes the state by one event. Every check comes before the first change, so a refused event leaves no trace. */
export function applyEvent(state: RunState, event: RunEvent): void {
  if (event.seq !== state.seq + 1)
    throw new IllegalEventError(event.type, `number ${event.seq} after ${state.seq}`);
  if (isAboutRun(event)) applyToRun(state, event);
  else applyToStep(state, stepOf(state, event.step ?? ''), event as RunEvent<StepLevelType>);
  state.seq = event.seq;
  state.at = event.at;
}

function applyToRun(state: RunState, event: RunEvent<RunLevelType>): void {
  switch (event.type) {
    case 'run.opened':
      if (!hasEnded(state)) Object.assign(state, { status: 'running', pausedBy: null });
      break;
    case 'run.paused':
      demand(event, !hasEnded(state), 'the run has ended');
      if (event.data.reason === 'awaiting_human') state.status = 'awaiting_human';
      else state.pausedBy = 'interrupted';
      break;
    case 'run.halted':
      state.isHalted = true;
      break;
    case 'run.unhalted':
      Object.assign(state, { isHalted: false, isHaltWaived: true });
      break;
    case 'run.warned':
      state.isWarned = true;
      break;
    case 'run.overspent':
      state.isOverspent = true;
      break;
    case 'run.budgeted':
      Object.assign(state, { budget: event.data, isWarned: false, isOverspent: false });
      break;
    case 'run.reopened':
      demand(event, hasEnded(state), 'the run has not ended');
      Object.assign(state, { status: 'running', reason: '', isHalted: false });
      break;
    case 'run.degraded':
      state.degraded.push(event.data.what);
      break;
    case 'run.ended':
      endRun(state, event);
      break;
    case 'question.asked':
      demand(event, !state.questions.has(event.data.id), 'a question is asked once');
      state.questions.set(event.data.id, { question: event.data, answer: null });
      break;
    case 'question.answered':
      answer(state, event);
      break;
    case 'run.created':
      throw new IllegalEventError(event.type, 'a run is created once');
    default:
      event satisfies never;
  }
}

function endRun(state: RunState, event: RunEvent<'run.ended'>): void {
  demand(event, !hasEnded(state), 'the run has ended already');
  if (event.data.status === 'done') {
    const open = [...state.steps.values()].find((step) => step.status !== 'accepted');
    demand(event, open === undefined, `step ${open?.task.id} is ${open?.status}`);
  }
  Object.assign(state, { status: event.data.status, reason: event.data.reason });
}

function answer(state: RunState, event: RunEvent<'question.answered'>): void {
  const asked = state.questions.get(event.data.id);
  if (!asked) throw new IllegalEventError(event.type, `nobody asked question ${event.data.id}`);
  demand(event, asked.answer === null, `question ${event.data.id} is answered`);
  const values = asked.question.options.map((option) => option.value);
  demand(event, values.includes(event.data.answer), `the options are ${values.join(', ')}`);
  asked.answer = event.data.answer;
}

/** From which states a step may take each event. Events that only report progress are allowed while it runs. */
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
  'attempt.played': ['running'],
  'step.committed': ['submitted'],
  'work.kept': 'any',
  'attempt.grounded': ['checking'],
  'attempt.gated': ['checking'],
  'attempt.ended': ['running', 'submitted', 'checking'],
  'attempt.classified': ['checking'],
  'step.accepted': ['checking'],
  'step.conflicted': ['checking'],
  'step.revising': ['checking'],
  'step.escalated': ['checking'],
  'step.failed': ['checking'],
  'step.skipped': ['pending', 'ready', 'revising', 'running', 'submitted', 'checking'],
  'step.retried': ['failed', 'escalated'],
};

function applyToStep(state: RunState, step: StepState, event: RunEvent<StepLevelType>): void {
  const from = allowedFrom[event.type];
  demand(event, from === 'any' || from.includes(step.status), `step ${step.task.id} is ${step.status}`);
  demand(event, !hasEnded(state), 'the run has ended');
  switch (event.type) {
    case 'attempt.started':
      startAttempt(step, event);
      break;
    case 'worktree.ready':
      current(step, event).path = event.data.path;
      break;
    case 'handoff.refused':
      break;
    case 'work.kept':
      if (event.attempt !== undefined) current(step, event).kept = event.data.commit;
      break;
    case 'attempt.prompted':
      Object.assign(current(step, event), {
        promptedAt: event.at,
        seenAt: event.at,
        dropped: event.data.dropped,
      });
      break;
    case 'attempt.session':
      Object.assign(current(step, event), { session: event.data, seenAt: event.at });
      if (event.data.model !== null) current(step, event).model = event.data.model;
      break;
    case 'attempt.permission':
      if (event.data.decision === 'denied') current(step, event).tool = `denied: ${event.data.tool}`;
      break;
    case 'attempt.retrying':
      current(step, event).tool = `waits for the model: ${event.data.reason}`;
      break;
    case 'attempt.said':
      Object.assign(current(step, event), { tool: 'text', seenAt: event.at });
      break;
    case 'attempt.used':
      countTool(current(step, event), event);
      Object.assign(current(step, event), {
        tool: `${event.data.tool} ${event.data.detail}`.trim(),
        seenAt: event.at,
      });
      break;
    case 'attempt.spent':
      spend(state, current(step, event), event);
      break;
    case 'attempt.played':
      play(current(step, event), event);
      step.status = 'submitted';
      break;
    case 'step.committed':
      current(step, event).commit = event.data.commit;
      tellOf(current(step, event), event.data.incidents);
      step.commit = event.data.commit;
      step.status = 'checking';
      break;
    case 'attempt.grounded':
      current(step, event).grounding = event.data;
      for (const { file, refused } of event.data.amendments) if (refused === null) step.granted.push(file);
      break;
    case 'attempt.gated':
      current(step, event).claims = event.data.claims;
      break;
    case 'attempt.ended':
      endAttempt(step, event);
      break;
    case 'attempt.classified':
      current(step, event, true).failure = event.data;
      break;
    case 'step.accepted':
      accept(state, step, event);
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
    case 'step.failed':
      Object.assign(step, { status: 'failed', reason: event.data.reason });
      break;
    case 'step.skipped':
      Object.assign(step, { status: 'skipped', reason: event.data.reason });
      break;
    case 'step.retried':
      retry(state, step, event);
      break;
    default:
      event satisfies never;
  }
}

function startAttempt(step: StepState, event: RunEvent<'attempt.started'>): void {
  demand(
    event,
    event.attempt === step.attempts.length + 1,
    `it is attempt ${event.attempt} after ${step.attempts.length}`,
  );
  const { base, from, round, path, driver, tier = 'standard', model = null } = event.data;
  step.attempts.push({
    n: step.attempts.length + 1,
    round,
    base,
    from,
    path,
    driver,
    tier,
    startedAt: event.at,
    endedAt: null,
    played: null,
    incidents: [],
    session: null,
    outcome: null,
    verdict: null,
    quality: null,
    findings: [],
    grounding: null,
    claims: [],
    commit: null,
    kept: null,
    failure: null,
    tools: { seen: 0, explored: 0, wrote: 0 },
    dropped: [],
    tool: '',
    usage: noSpending(),
    model,
    estimated: new Map(),
    promptedAt: null,
    seenAt: null,
  });
  Object.assign(step, { status: 'running', reason: '', conflict: false });
}

function countTool({ tools }: AttemptState, { data }: RunEvent<'attempt.used'>): void {
  const use = toolUse(data.tool, data.detail);
  tools.seen += 1;
  if (use !== 'other') tools[use] += 1;
}

/** One that was cut off together with us worked until its last sign of life, not until we came back. */
function play(attempt: AttemptState, event: RunEvent<'attempt.played'>): void {
  attempt.played = event.data;
  tellOf(attempt, event.data.incidents);
  if (event.data.outcome !== 'interrupted') attempt.seenAt = event.at;
}

function tellOf(attempt: AttemptState, incidents: AttemptState['incidents'] = []): void {
  attempt.incidents = [...attempt.incidents, ...incidents];
}

function endAttempt(step: StepState, event: RunEvent<'attempt.ended'>): void {
  const { verdict, checks, outcome, quality, findings } = event.data;
  const unmet = checks.find(
    ({ required, status }) => required && (status === 'fail' || status === 'inconclusive'),
  );
  demand(
    event,
    verdict !== 'approve' || unmet === undefined,
    `required check ${unmet?.name} is ${unmet?.status}`,
  );
  demand(
    event,
    (outcome === 'interrupted') === (verdict === null),
    'only an interrupted attempt has no verdict',
  );
  const attempt = current(step, event);
  Object.assign(attempt, { outcome, verdict, quality, findings, endedAt: event.at, tool: '' });
  step.status = outcome === 'interrupted' ? 'ready' : 'checking';
}

function accept(state: RunState, step: StepState, event: RunEvent<'step.accepted'>): void {
  const last = step.attempts.at(-1);
  demand(event, last?.verdict === 'approve', `its verdict is ${last?.verdict}`);
  const open = last?.findings.find((finding) => finding.severity === 'blocking');
  demand(event, open === undefined, `a blocking finding is open: ${open?.message}`);
  Object.assign(step, { status: 'accepted', reason: '', commit: event.data.commit });
  state.integration = { ...state.integration, commit: event.data.integration };
  for (const id of state.dependants.get(step.task.id) ?? []) {
    const dependant = stepOf(state, id);
    dependant.waitingFor -= 1;
    if (dependant.waitingFor === 0 && dependant.status === 'pending') dependant.status = 'ready';
  }
}

function retry(state: RunState, step: StepState, event: RunEvent<'step.retried'>): void {
  Object.assign(step, {
    status: 'ready',
    reason: '',
    conflict: false,
    firstAttemptOfTry: step.attempts.length,
  });
  step.retries += 1;
  if (event.data.context !== '') step.context.push(event.data.context);
  reviveDependants(state, step.task.id);
}

/** What was skipped only because of this step has a chance again. */
function reviveDependants(state: RunState, id: string): void {
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const dependant of state.dependants.get(next) ?? []) {
      const step = stepOf(state, dependant);
      if (step.status !== 'skipped') continue;
      Object.assign(step, { status: step.waitingFor === 0 ? 'ready' : 'pending', reason: '' });
      open.push(dependant);
    }
  }
}

function current(step: StepState, event: RunEvent, mayHaveEnded = false): AttemptState {
  const attempt = step.attempts.at(-1);
  if (!attempt || attempt.n !== event.attempt || (attempt.outcome !== null && !mayHaveEnded)) {
    throw new IllegalEventError(
      event.type,
      `attempt ${event.attempt} of ${step.task.id} is not the open one`,
    );
  }
  return attempt;
}

function conflictFinding(paths: readonly string[]): DataOf<'attempt.ended'>['findings'][number] {
  return {
    fingerprint: `conflict:${paths.toSorted().join('\n')}`,
    severity: 'blocking',
    message: `does not merge with the work accepted before it, in ${paths.join(', ')}`,
  };
}

function demand(event: RunEvent, condition: boolean, why: string): void {
  if (!condition) throw new IllegalEventError(event.type, why);
}
