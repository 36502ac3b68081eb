import { contractOfPlan } from '#app/contracts/contract-step.ts';
import { decideAtTerminal } from '#app/workplace/decision.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import type { BranchTip } from '#check/branches/branch-tips.ts';
import {
  isAccepted,
  openQuestions,
  provable,
  type RunState,
  staysOnItsBranch,
  whyUnproven,
} from '#crew/state/state.ts';
import type { PhaseFlow } from '#crew/steer/phases.ts';
import { findingsEvents, landEvents } from '#crew/steer/questions.ts';
import { startOrder } from '#crew/steer/schedule.ts';
import { isAncestor, readRef } from '#git/merges/branches.ts';
import { finishLandings, type LandingOutcome, land } from '#integrate/land/land.ts';
import type { Resolution, TextConflict } from '#integrate/merge/merge-branches.ts';
import { compileGlobs } from '#lib/glob.ts';
import { describeDecider } from '#schema/decision.ts';
import type { EventDraft } from '#schema/event.ts';
import type { IntegrationReport } from '#schema/integration.ts';
import { type IntegrationRoom, proveIntegration, withIntegrationRoom } from './integration-room.ts';
import type { AskPerson } from './land-or-ask.ts';
import { resolveConflict } from './resolve-conflict.ts';
import type { RunRoom } from './run-room.ts';

type Here = Pick<Surroundings, 'env' | 'terminal' | 'onInterrupt'>;

const ended = (status: 'done' | 'failed', reason: string): EventDraft => ({
  type: 'run.ended',
  data: { status, reason },
});
const waits: EventDraft = { type: 'run.paused', data: { reason: 'awaiting_human' } };

/** Proves the accepted work of a run on the exact commits, then lands it, keeps it on its branch, or asks. */
export function landPhase(
  here: Here,
  { repository, config }: Pick<RunRoom, 'repository' | 'config'>,
  ask: AskPerson,
  /** Called at the points where a crash must be survivable; tests crash there. */
  probe: (point: string) => void = () => {},
): (flow: PhaseFlow) => Promise<EventDraft[]> {
  return (flow) =>
    withIntegrationRoom(here, repository, config, (room) =>
      landIn(room, here, flow, ask && ((text) => unlessStopped(ask(text), flow.stop)), probe),
    );
}

/** An unanswered question must not prevent a run from stopping. */
function unlessStopped<T>(answer: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(stop.reason);
    if (stop.aborted) leave();
    stop.addEventListener('abort', leave, { once: true });
    answer.then(resolve, reject).finally(() => stop.removeEventListener('abort', leave));
  });
}

async function landIn(
  room: IntegrationRoom,
  here: Here,
  flow: PhaseFlow,
  ask: AskPerson,
  probe: (point: string) => void,
): Promise<EventDraft[]> {
  const { state, context, refs, stop } = flow;
  const { target } = state;
  if (target === null)
    return staysOnItsBranch(state)
      ? [ended('done', '')]
      : [...landEvents(state, { reason: 'the run knows no branch to land on' }, Date.now()), waits];
  for (const line of await finishLandings(room.repository)) here.terminal.warn(line);
  for (;;) {
    stop.throwIfAborted();
    const now = await targetOf(room, state, target);
    if (now === null)
      return [...landEvents(state, { reason: `branch ${target} no longer exists` }, Date.now()), waits];
    const proven = await provenFor(room, here, flow, { ref: target, commit: now }, probe);
    const { integration, status } = proven;
    if (status === 'nothing')
      return [
        proven.left.some(({ isEmpty }) => !isEmpty)
          ? ended('failed', failureOf(proven))
          : ended('done', 'nothing to land'),
      ];
    const asking = status === 'undecided' ? proven.findings.filter(({ effect }) => effect === 'asks') : [];
    if (asking.length > 0 && !state.isKept) {
      context.append(findingsEvents(state, asking, Date.now()));
      if (openQuestions(state).length > 0) return [waits];
      continue;
    }
    if (status !== 'ready' || !integration) return [ended('failed', failureOf(proven))];
    await refs.set(`refs/heads/${integration.branch}`, integration.commit);
    probe('integrate: branch set');
    // A killed process may have moved the target without recording it.
    if (await isAncestor(room.git, integration.commit, now))
      return closing(state, recordLanding(flow, proven), proven);
    if (staysOnItsBranch(state)) return closing(state, [], proven);
    if (state.settings.land === 'ask') {
      const unproven = whyUnproven(state);
      const wish = await decide(
        here,
        flow,
        ask,
        `${unproven === null ? '' : `${unproven}: `}land on ${target}?`,
      );
      if (wish === 'waits') return [waits];
      continue;
    }
    const unproven = whyUnproven(state);
    if (unproven !== null) {
      const next = `joinery integrate ${context.run} --land --update-checkout --unproven`;
      return [...landEvents(state, { reason: unproven, next }, Date.now()), waits];
    }
    probe('land: before');
    const outcome = await tryToLand(room, flow, proven);
    probe('land: after');
    if (outcome.status === 'landed') return closing(state, recordLanding(flow, proven), proven);
    if (outcome.status === 'moved') {
      here.terminal.warn(`${target} moved in the meantime: checking again`);
      continue;
    }
    if (ask && outcome.needs === 'leave' && (await ask(`${outcome.reason}: update it?`))) {
      const data = { mayUpdateCheckout: true, isPartial: state.isPartial };
      context.append([{ type: 'run.landing', data }]);
      continue;
    }
    const reason = `it stays on ${integration.branch}, because ${outcome.reason}`;
    return [...landEvents(state, { reason, next: outcome.next }, Date.now()), waits];
  }
}

/** Resolves text conflicts on the integration branch; an answer in the log is not requested again. */
function integratorOf(
  room: IntegrationRoom,
  { context, state, stop }: PhaseFlow,
): (conflict: TextConflict) => Promise<Resolution> {
  const { agent, roles, scenario } = state.settings;
  let n = 0;
  return async (conflict) => {
    n += 1;
    const key = `resolve/${conflict.head.slice(0, 16)}/${conflict.tip.commit.slice(0, 16)}`;
    const text = await context.step(key, async (call) => {
      const wish = { agent: roles.integrator ?? agent, scenario, signal: stop, n, base: state.base };
      const { resolution, consultation } = await resolveConflict(room, conflict, wish);
      stop.throwIfAborted();
      if (consultation) call.emit({ type: 'run.consulted', data: consultation });
      return JSON.stringify(resolution);
    });
    return JSON.parse(text) as Resolution;
  };
}

/** A fork that must not land is compared with the other run's target; everything else with the target as it is now. */
function targetOf({ git }: IntegrationRoom, state: RunState, target: string): Promise<string | null> {
  const against = staysOnItsBranch(state) ? state.fork?.against : null;
  return against ? Promise.resolve(against) : readRef(git, `refs/heads/${target}`);
}

/** The last proof if it is still valid for these commits and this target; otherwise a new one. */
async function provenFor(
  room: IntegrationRoom,
  here: Here,
  flow: PhaseFlow,
  target: BranchTip,
  probe: (point: string) => void,
): Promise<IntegrationReport> {
  const { context, state } = flow;
  const branches = tipsOf(state);
  const commits = branches.map(({ commit }) => commit);
  const last = state.integrations.at(-1);
  const isSame = last !== undefined && JSON.stringify(last.commits) === JSON.stringify(commits);
  if (last && isSame) {
    const landing = last.report.integration?.commit;
    const hasLanded = landing !== undefined && (await isAncestor(room.git, landing, target.commit));
    const isDecided = last.report.unproven === undefined || last.report.unproven.by === state.unproven;
    if (
      hasLanded ||
      (last.report.target.before === target.commit && last.report.status === 'ready' && isDecided)
    )
      return last.report;
  }
  const n = state.integrations.length + 1;
  const text = await context.step(`integrate/${n}`, async (call) => {
    const report = await proveIntegration(room, here, {
      id: context.run,
      target,
      branches,
      isPartial: state.isPartial,
      at: state.at,
      next: `joinery integrate ${context.run} --land --update-checkout`,
      decisions: state.decisions,
      accept: state.accepted,
      unproven: state.unproven ?? undefined,
      contract: contractOfPlan(state.plan),
      tasksOf: tasksOfBranch(state),
      resolve: integratorOf(room, flow),
      probe,
    });
    const bad = report.steps.find(({ status }) => status === 'fail' || status === 'undecided');
    call.emit({ type: 'run.integrated', data: { report, commits } });
    call.emit({
      type: 'run.phase',
      data: {
        phase: 'integrate',
        status: bad ? 'failed' : 'done',
        detail: bad
          ? failureOf(report)
          : report.steps.map(({ name, status }) => `${name} ${status}`).join(', '),
      },
    });
    return JSON.stringify(report);
  });
  return JSON.parse(text) as IntegrationReport;
}

/** The task of a branch, and the tasks whose work it finished. */
export function tasksOfBranch({ steps }: Pick<RunState, 'steps'>): (ref: string) => string[] {
  return (ref) => {
    const step = [...steps.values()].find(({ branch }) => branch === ref);
    return step ? [step.task.id, ...(step.rework?.takes ?? [])] : [];
  };
}

/** Accepted work in dependency order. */
export function tipsOf(state: RunState): BranchTip[] {
  const planned = startOrder(state.plan);
  const added = [...state.steps.keys()].filter((id) => !planned.includes(id));
  return [...planned, ...added].flatMap((id) => {
    const step = state.steps.get(id);
    return step?.status === 'accepted' && step.commit !== null
      ? [{ ref: step.branch, commit: step.commit }]
      : [];
  });
}

/** With a terminal the answer comes at once; without one the question waits in the log. */
async function decide(
  { env }: Pick<Here, 'env'>,
  { context, state }: PhaseFlow,
  ask: AskPerson,
  text: string,
): Promise<'decided' | 'waits'> {
  const questions = landEvents(state, {}, Date.now());
  const isOpen = questions.length === 1;
  if (!isOpen || !ask) {
    context.append(questions);
    return isOpen ? 'waits' : 'decided';
  }
  const isWanted = await ask(text);
  const who = provable(describeDecider(decideAtTerminal(env, 'an answer')), state);
  const [asked] = questions;
  const id = asked?.type === 'question.asked' ? asked.data.id : '';
  context.append([
    ...questions,
    { type: 'question.answered', data: { id, answer: isWanted ? 'land' : 'keep', by: 'person', who } },
    ...(isWanted
      ? [
          {
            type: 'run.landing' as const,
            data: {
              ...{ mayUpdateCheckout: true, isPartial: state.isPartial },
              ...(whyUnproven(state) === null ? {} : { unproven: 'person' }),
            },
          },
        ]
      : []),
  ]);
  return 'decided';
}

/** Not a recorded step: every try first asks git whether the target has already moved. */
async function tryToLand(
  { repository, git, config }: IntegrationRoom,
  { context, state }: PhaseFlow,
  { target, integration }: IntegrationReport,
): Promise<LandingOutcome> {
  context.heartbeat();
  return land(repository, git, {
    ref: `refs/heads/${target.ref}`,
    from: target.before,
    to: integration?.commit ?? '',
    isProtected: compileGlobs(config.run.protected)(target.ref),
    mayUpdateCheckout: state.settings.mayUpdateCheckout,
  });
}

function recordLanding(
  { state }: PhaseFlow,
  { target, integration, receipt }: IntegrationReport,
): EventDraft[] {
  if (state.landed || !integration || receipt === null) return [];
  const { ref, before } = target;
  const landed = { ref, before, after: integration.commit, receipt };
  return [
    { type: 'run.landed', data: landed },
    { type: 'run.phase', data: { phase: 'land', status: 'done', detail: `${ref} moved` } },
  ];
}

function closing(state: RunState, events: readonly EventDraft[], { left }: IntegrationReport): EventDraft[] {
  const behind = new Set(left.filter(({ isEmpty }) => !isEmpty).map(({ ref }) => ref));
  const out = [...state.steps.values()].filter((step) => !isAccepted(state, step) || behind.has(step.branch));
  const names = out.map(({ task }) => task.id).join(', ');
  return [...events, out.length === 0 ? ended('done', '') : ended('failed', `landed without ${names}`)];
}

function failureOf({ steps, left, lost }: IntegrationReport): string {
  const bad = steps.find(({ status }) => status === 'fail' || status === 'undecided');
  const more = [
    ...left.map(({ ref, reason }) => `${ref}: ${reason}`),
    ...lost.map(
      ({ branch, path, entity }) => `${branch}: ${path}${entity === null ? '' : `#${entity}`} is lost`,
    ),
  ];
  return [`${bad?.name ?? 'integrate'} ${bad?.status ?? 'failed'}: ${bad?.detail ?? ''}`, ...more].join('; ');
}
