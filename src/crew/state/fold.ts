import { describeChange } from '#contract/change/change.ts';
import { IllegalEventError } from '#durable/engine-error.ts';
import { reachable } from '#lib/graph.ts';
import {
  type DataOf,
  isAboutRun,
  type RunEvent,
  type RunLevelType,
  type StepLevelType,
} from '#schema/event.ts';
import type { StepStatus } from '#schema/run.ts';
import { noSpending } from '#schema/spending.ts';
import { describeClash } from './clash.ts';
import { toolUse } from './classify.ts';
import { extendRun, park, releaseIfFree } from './extend.ts';
import { spend, spendOnPlanning } from './ledger.ts';
import {
  type AttemptState,
  addTasks,
  hasEnded,
  hasLanded,
  hasNothingToLand,
  isAccepted,
  type RunState,
  type StepState,
  stateOf,
  staysOnItsBranch,
  stepOf,
} from './state.ts';

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
    case 'run.signalled':
      break;
    case 'run.degraded':
      state.degraded.push(event.data.what);
      break;
    case 'run.contracted':
      state.plan = { ...state.plan, contract: event.data.contract };
      for (const id of event.data.told)
        stepOf(state, id).news.push(
          `The contract was changed for task ${event.data.task}. ${describeChange(event.data.change)}`,
        );
      break;
    case 'run.phase':
      state.phases.push(event.data);
      break;
    case 'run.forked':
      forkRun(state, event);
      break;
    case 'run.consulted':
      state.consultations.push(event.data);
      spendOnPlanning(state, event.data);
      break;
    case 'run.planned':
      demand(event, state.plan.tasks.length === 0, 'the run has a plan');
      state.plan = event.data.plan;
      addTasks(state, event.data.plan.tasks, event.data.branches);
      break;
    case 'run.extended':
      demand(event, !hasEnded(state), 'the run has ended');
      demand(event, !state.steps.has(event.data.task.id), `there is a task ${event.data.task.id}`);
      extendRun(state, event.data);
      for (const id of event.data.takes) reviveDependants(state, id);
      break;
    case 'run.integrated':
      state.integrations.push(event.data);
      if (event.data.report.integration)
        state.integration = { ...state.integration, commit: event.data.report.integration.commit };
      break;
    case 'run.landing':
      state.settings = {
        ...state.settings,
        land: 'always',
        mayUpdateCheckout: event.data.mayUpdateCheckout,
      };
      Object.assign(state, { isPartial: event.data.isPartial, isKept: false });
      state.decisions.push(...(event.data.decisions ?? []));
      break;
    case 'run.undone':
      demand(event, state.landed?.after === event.data.landed, 'that is not what landed');
      // Its result is the integration branch again, until somebody wants it to land once more.
      Object.assign(state, { landed: null, isKept: true });
      state.phases.push({ phase: 'land', status: 'failed', detail: `${event.data.ref} went back` });
      break;
    case 'run.landed':
      state.landed = event.data;
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

function forkRun(state: RunState, { data, at }: RunEvent<'run.forked'>): void {
  const { agent, context, land, scenario } = data;
  const reused = { ...state.usage };
  const { usd, tokens } = state.budget;
  state.fork = { ...data, reused };
  // What was spent before was paid by the other run.
  state.budget = {
    usd: usd === null ? null : usd + reused.usd,
    tokens: tokens === null ? null : tokens + reused.tokens,
  };
  state.settings = {
    ...state.settings,
    land,
    ...(agent === null ? {} : { agent, roles: {} }),
    ...(scenario === null ? {} : { scenario }),
  };
  Object.assign(state, { createdAt: at, status: 'created', pausedBy: null });
  if (context === '') return;
  const named = state.steps.get(data.at.replace(/\/\d+$/, ''));
  for (const step of named ? [named] : state.steps.values()) step.context.push(context);
}

function endRun(state: RunState, event: RunEvent<'run.ended'>): void {
  demand(event, !hasEnded(state), 'the run has ended already');
  if (event.data.status === 'done') {
    const open = [...state.steps.values()].find((step) => !isAccepted(state, step));
    demand(event, open === undefined, `step ${open?.task.id} is ${open?.status}`);
    demand(event, state.steps.size > 0, 'it has no tasks');
    demand(
      event,
      state.landed !== null || staysOnItsBranch(state) || hasNothingToLand(state),
      'its work has not landed',
    );
    const behind = [...state.steps.values()].find((step) => state.landed !== null && !hasLanded(state, step));
    demand(event, behind === undefined, `the work of ${behind?.task.id} stayed behind`);
  }
  Object.assign(state, { status: event.data.status, reason: event.data.reason });
}

function answer(state: RunState, event: RunEvent<'question.answered'>): void {
  const asked = state.questions.get(event.data.id);
  if (!asked) throw new IllegalEventError(event.type, `there is no question ${event.data.id}`);
  demand(event, asked.answer === null, `question ${event.data.id} is answered`);
  const values = asked.question.options.map((option) => option.value);
  demand(event, values.includes(event.data.answer), `the options are ${values.join(', ')}`);
  asked.answer = event.data.answer;
  if (asked.question.kind === 'land') state.isKept = event.data.answer === 'keep';
}

const unsettled = ['pending', 'ready', 'running', 'submitted', 'checking', 'revising'] as const;

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
    case 'handoff.recorded':
      current(step, event).recorded = event.data;
      break;
    case 'work.kept':
      if (event.attempt !== undefined) current(step, event).kept = event.data.commit;
      break;
    case 'attempt.prompted':
      Object.assign(current(step, event), {
        promptedAt: event.at,
        seenAt: event.at,
        dropped: event.data.dropped,
        prompt: event.data,
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
      Object.assign(current(step, event), { tool: firstWords(event.data.text), seenAt: event.at });
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
    case 'attempt.told':
      hear(step, current(step, event), event.data.clashes);
      break;
    case 'attempt.steered':
      step.unheard = step.unheard.filter((text) => !event.data.texts.includes(text));
      break;
    case 'attempt.stepped':
      current(step, event).workflow = walked(event.data);
      current(step, event).tool = `step ${event.data.title}`;
      break;
    case 'attempt.played':
      play(current(step, event), event);
      step.status = 'submitted';
      break;
    case 'step.committed':
      current(step, event).commit = event.data.commit;
      tellOf(current(step, event), event.data.incidents);
      step.commit = event.data.commit;
      step.files = event.data.files.map(({ path }) => path);
      step.status = 'checking';
      break;
    case 'attempt.grounded':
      current(step, event).grounding = event.data;
      for (const { file, refused } of event.data.amendments) if (refused === null) step.granted.push(file);
      break;
    case 'attempt.gated':
      current(step, event).claims = event.data.claims;
      break;
    case 'attempt.reviewed':
      current(step, event).review = event.data;
      // Its owner has to make them pass, so they belong to its files.
      step.granted.push(
        ...event.data.redTests.map(({ file }) => file).filter((file) => !step.granted.includes(file)),
      );
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
    review: null,
    claims: [],
    commit: null,
    kept: null,
    failure: null,
    tools: { seen: 0, explored: 0, wrote: 0 },
    told: step.told,
    news: step.news,
    dropped: [],
    prompt: null,
    workflow: null,
    recorded: null,
    tool: '',
    usage: noSpending(),
    model,
    estimated: new Map(),
    promptedAt: null,
    seenAt: null,
  });
  Object.assign(step, {
    status: 'running',
    reason: '',
    conflict: false,
    told: [],
    news: [],
    unheard: [],
    parkedFor: null,
  });
}

const mostWords = 80;

/** What it says, as far as a line has place for it. */
function firstWords(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
  return line.length > mostWords ? `${line.slice(0, mostWords - 1)}…` : line || 'text';
}

function countTool({ tools }: AttemptState, { data }: RunEvent<'attempt.used'>): void {
  const use = toolUse(data.tool, data.detail);
  tools.seen += 1;
  if (use !== 'other') tools[use] += 1;
}

/** What the agent knows by now is not told to the next one. */
function hear(step: StepState, attempt: AttemptState, clashes: AttemptState['told']): void {
  const known = new Set(clashes.map(({ id }) => id));
  attempt.told = [...attempt.told, ...clashes];
  step.told = step.told.filter(({ id }) => !known.has(id));
}

function walked({ run, status }: DataOf<'attempt.stepped'>): AttemptState['workflow'] {
  return { run, isOpen: status !== 'stopped' && status !== 'complete' };
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

/** An attempt that was cut off while it was judged is over with its task. */
function closeAttempt(step: StepState, at: string): void {
  const attempt = step.attempts.at(-1);
  if (attempt && attempt.endedAt === null) Object.assign(attempt, { endedAt: at, tool: '' });
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
    releaseIfFree(dependant);
  }
}

function retry(state: RunState, step: StepState, event: RunEvent<'step.retried'>): void {
  // A workflow that is not over goes on where it stands.
  const goesOn = event.data.keepsWork || step.attempts.at(-1)?.workflow?.isOpen;
  Object.assign(step, {
    status: 'ready',
    reason: '',
    conflict: false,
    // With its last attempt still counting, the next one starts from that commit.
    firstAttemptOfTry: Math.max(0, step.attempts.length - (goesOn ? 1 : 0)),
    parkedFor: null,
  });
  step.retries += 1;
  if (event.data.context !== '') step.context.push(event.data.context);
  reviveDependants(state, step.task.id);
}

/** Steps that were skipped only because of this step can start after all. */
function reviveDependants(state: RunState, id: string): void {
  const skippedAfter = (each: string) =>
    (state.dependants.get(each) ?? []).filter((next) => {
      const { status, takenOverBy } = stepOf(state, next);
      return status === 'skipped' && takenOverBy === null;
    });
  for (const skipped of reachable([id], skippedAfter)) {
    const step = stepOf(state, skipped);
    Object.assign(step, { status: 'pending', reason: '' });
    releaseIfFree(step);
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

/** Each check of an attempt replaces the one before. */
function isNotOfCheck({ fingerprint }: DataOf<'attempt.ended'>['findings'][number]): boolean {
  return !fingerprint.startsWith('clash:') && fingerprint !== unclear;
}

const unclear = 'check:inconclusive';

function clashFindings({
  clashes,
  status,
  reason,
}: DataOf<'step.checked'>): DataOf<'attempt.ended'>['findings'] {
  const unknown = { fingerprint: unclear, severity: 'blocking' as const };
  return [
    ...clashes.map((clash) => ({
      fingerprint: `clash:${clash.id}`,
      severity: 'blocking' as const,
      message: describeClash(clash),
    })),
    ...(status === 'inconclusive'
      ? [{ ...unknown, message: `it cannot be told whether it fits: ${reason ?? ''}` }]
      : []),
  ];
}

function demand(event: RunEvent, condition: boolean, why: string): void {
  if (!condition) throw new IllegalEventError(event.type, why);
}
