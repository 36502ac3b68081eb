import { IllegalEventError } from '#durable/engine-error.ts';
import type { DataOf, RunEvent, StepLevelType } from '#schema/event.ts';
import { noSpending } from '#schema/spending.ts';
import { toolUse } from './classify.ts';
import { demand } from './demand.ts';
import { spend } from './ledger.ts';
import type { AttemptState, RunState, StepState } from './state.ts';

/** Events about the open or the last attempt of a step. */
export type AttemptLevelType = Exclude<StepLevelType, `step.${string}`>;

/** Applies an event about an attempt. */
export function applyToAttempt(state: RunState, step: StepState, event: RunEvent<AttemptLevelType>): void {
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

/** The start of a text, cut to one line. */
function firstWords(text: string): string {
  const line = text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
  return line.length > mostWords ? `${line.slice(0, mostWords - 1)}…` : line || 'text';
}

function countTool({ tools }: AttemptState, { data }: RunEvent<'attempt.used'>): void {
  const use = toolUse(data.tool, data.detail);
  tools.seen += 1;
  if (use !== 'other') tools[use] += 1;
}

/** What this agent has heard is not repeated to the next one. */
function hear(step: StepState, attempt: AttemptState, clashes: AttemptState['told']): void {
  const known = new Set(clashes.map(({ id }) => id));
  attempt.told = [...attempt.told, ...clashes];
  step.told = step.told.filter(({ id }) => !known.has(id));
}

function walked({ run, status }: DataOf<'attempt.stepped'>): AttemptState['workflow'] {
  return { run, isOpen: status !== 'stopped' && status !== 'complete' };
}

/** An attempt interrupted by our own death worked until its last sign of life, not until we came back. */
function play(attempt: AttemptState, event: RunEvent<'attempt.played'>): void {
  attempt.played = event.data;
  tellOf(attempt, event.data.incidents);
  if (event.data.outcome !== 'interrupted') attempt.seenAt = event.at;
}

export function tellOf(attempt: AttemptState, incidents: AttemptState['incidents'] = []): void {
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

/** Closes an attempt that was interrupted during its verdict, together with its task. */
export function closeAttempt(step: StepState, at: string): void {
  const attempt = step.attempts.at(-1);
  if (attempt && attempt.endedAt === null) Object.assign(attempt, { endedAt: at, tool: '' });
}

/** The attempt that an event names: the open one, or with `mayHaveEnded` the last. */
export function current(step: StepState, event: RunEvent, mayHaveEnded = false): AttemptState {
  const attempt = step.attempts.at(-1);
  if (!attempt || attempt.n !== event.attempt || (attempt.outcome !== null && !mayHaveEnded)) {
    throw new IllegalEventError(
      event.type,
      `attempt ${event.attempt} of ${step.task.id} is not the open one`,
    );
  }
  return attempt;
}
