import { basename } from 'node:path';
import { agentNames } from '#agents/open-driver.ts';
import { baseOverride, checkHere } from '#app/checks/check-here.ts';
import { lastCheckedAt, lastFrames, readEarlier } from '#app/checks/report-history.ts';
import { auditRun } from '#app/handoffs/audit-run.ts';
import { assertOpen, understand } from '#app/runs/answer-question.ts';
import { retriable } from '#app/runs/retry-task.ts';
import { openRuns, type RunRoom } from '#app/runs/run-room.ts';
import { senderFrom, type sendSignal } from '#app/runs/send-signal.ts';
import { assertAtWork } from '#app/runs/steer-task.ts';
import { readVisits, visitedAt } from '#app/visitors/spool.ts';
import { visitorRows } from '#app/visitors/visitor-rows.ts';
import { openWorkflowRoom, type WorkflowRoom } from '#app/workflow/workflow-room.ts';
import { thisHost } from '#app/workplace/host.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { countRemoved, runIds } from '#crew/state/catalogue.ts';
import { finalReportOf } from '#crew/state/final-report.ts';
import { applyEvent } from '#crew/state/fold.ts';
import { hasEnded, type RunState, stateOf } from '#crew/state/state.ts';
import { EngineError } from '#durable/engine-error.ts';
import { lastPlace, readPlaced } from '#durable/journal.ts';
import type { Repository } from '#git/call/repository.ts';
import { defaultBranch } from '#git/refs/refs.ts';
import { checkViewOf } from '#report/check/html.ts';
import type { AuditReport } from '#schema/audit.ts';
import { UsageError } from '#schema/errors.ts';
import type { DataOf, RunEvent } from '#schema/event.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { FinalReport } from '#schema/final-report.ts';
import { stateDir } from '#schema/paths.ts';
import type { Budget } from '#schema/spending.ts';
import type {
  CheckView,
  DiffView,
  EventPage,
  HomeView,
  InboxItem,
  RepositoryRow,
  RunView,
  SpecList,
  WorkflowView,
} from '#schema/window.ts';
import { backgroundRuns } from './background-runs.ts';
import { branchRows } from './branch-rows.ts';
import { diffBetween } from './diff-between.ts';
import { gateLogOf } from './gate-log.ts';
import { inboxOf, promptKey, rowOf, viewOf } from './run-views.ts';
import { specsOf } from './specs.ts';
import {
  decideGateAt,
  type GateWish,
  gatesOf,
  isDrivenHere as leaseOf,
  workflowRows,
  workflowViewOf,
} from './workflow-views.ts';

/** Everything that can be seen of a repository and done about it, for a server that stays open. */
export interface Window {
  home(): Promise<HomeView>;
  /** What a list of repositories says about this one; git is not asked. */
  summary(): Promise<RepositorySummary>;
  specs(): Promise<SpecList>;
  report(run: string): FinalReport;
  /** Who handed what to whom, and the Coordination Score. */
  handoffs(run: string): Promise<AuditReport>;
  /** What a gate printed, by the id of its evidence. */
  gateLog(evidence: string): string;
  workflow(run: string): Promise<WorkflowView>;
  decide(run: string, wish: GateWish): Promise<{ isDriven: boolean }>;
  start(id: string, spec: string, agent: string | undefined): Promise<string>;
  resume(run: string, id: string): Promise<{ isDriven: boolean }>;
  steer(run: string, id: string, task: string, text: string): { isDriven: boolean };
  stop(run: string, id: string, task: string, reason: string): { isDriven: boolean };
  run(id: string): RunView;
  events(run: string, after: number, most: number, task: string | undefined): EventPage;
  artifact(run: string, sha256: string): string;
  diff(run: string, task: string, attempt: number, since: number | undefined): Promise<DiffView>;
  check(): Promise<CheckView | null>;
  runCheck(id: string, base: string | undefined, branches: readonly string[]): Promise<CheckView>;
  answer(
    run: string,
    id: string,
    question: string,
    words: { readonly answer: string; readonly text: string | undefined },
  ): { isDriven: boolean };
  /** Also drives the run when no process does: the request to a run that has ended would otherwise wait for ever. */
  retry(run: string, id: string, task: string, context: string): Promise<{ isDriven: boolean }>;
  budget(run: string, id: string, budget: Budget): { isDriven: boolean };
  cancel(run: string, id: string): { isDriven: boolean };
  /** What was written behind a place of the journal. */
  since(place: number, most: number): { place: number; run: string; event: RunEvent }[];
  place(): number;
  /** How many runs were removed from the log; it says no more about them. */
  removals(): number;
  /** When the last check of the repository ended; null when there was none. */
  checkedAt(): number | null;
  /** When an agent that Joinery did not start was last heard of. */
  visitedAt(): number | null;
}

export interface RepositorySummary
  extends Pick<RepositoryRow, 'runs' | 'working' | 'waiting' | 'inbox' | 'check'> {
  /** When something happened in it; null when nothing has. */
  readonly at: string | null;
}

/** A run as far as its log was read; grows with the log. */
interface Reading {
  state: RunState;
  readonly prompts: Map<string, DataOf<'attempt.prompted'>>;
}

export interface OpenWindow {
  readonly window: Window;
  readonly key: string;
  readonly path: string;
  close(): Promise<void>;
}

/** Opens the window of the repository that `surroundings` are in. */
export async function openWindow(surroundings: Surroundings): Promise<OpenWindow> {
  const room = await openRuns(surroundings);
  const workflows = openedOnce(() => openWorkflowRoom(surroundings));
  return {
    window: windowOf(room, surroundings, workflows.get),
    key: room.repository.key,
    path: pathOf(room.repository),
    async close() {
      await workflows.close();
      room.close();
    },
  };
}

function pathOf({ workTree, commonDir }: Repository): string {
  return workTree ?? commonDir;
}

function windowOf(room: RunRoom, surroundings: Surroundings, workflows: () => Promise<WorkflowRoom>): Window {
  const { repository } = room;
  const { engine } = room.runs;
  const readings = new Map<string, Reading>();
  const state = stateDir(thisHost(surroundings.env), repository.commonDir);
  const name = basename(pathOf(repository));

  const read = (run: string): Reading => {
    engine.assertKnown(run);
    let reading = readings.get(run);
    for (const event of engine.read(run, reading?.state.seq ?? 0)) {
      if (!reading) {
        if (event.type !== 'run.created') throw new Error(`the log of run ${run} begins with ${event.type}`);
        reading = { state: stateOf(event.data, event.at), prompts: new Map() };
        readings.set(run, reading);
      } else applyEvent(reading.state, event);
      if (event.type === 'attempt.prompted' && event.step !== undefined && event.attempt !== undefined)
        reading.prompts.set(promptKey(event.step, event.attempt), event.data);
    }
    if (!reading) throw new Error(`the log of run ${run} is empty`);
    return reading;
  };
  const holderOf = (run: string) => {
    const holder = engine.holder(run);
    return holder?.isAlive ? holder.holder : null;
  };
  /** `assertPossible` judges a wish once: one that is sent again may have come true already. */
  const send = (
    run: string,
    id: string,
    wish: Parameters<typeof sendSignal>[2],
    assertPossible: () => unknown,
  ) => {
    engine.assertKnown(run);
    const isNew = !engine.hasSignal(run, id);
    if (isNew) {
      assertPossible();
      engine.signal(run, { id, ...wish, by: senderFrom('dashboard') });
    }
    return { isNew, isDriven: holderOf(run) !== null };
  };
  const assertNotEnded = (run: string) => {
    const { state: known } = read(run);
    if (hasEnded(known))
      throw new EngineError('run-ended', `run ${run} is ${known.status}`, {
        exitCode: exitCodes.needsPerson,
        hint: `joinery status ${run}`,
      });
  };
  // Specs are named from the top, wherever the server was started.
  const top = { cwd: repository.workTree ?? surroundings.cwd, env: surroundings.env };
  const firstHolder = (run: string) => {
    for (const event of engine.read(run)) if (event.type === 'run.opened') return event.data.holder;
    return undefined;
  };
  const background = backgroundRuns(top, state, () => runIds(engine), firstHolder);
  const checks = new Map<string, Promise<CheckView>>();
  const branches = atMostEvery(branchesMs, async (base: string) =>
    branchRows(repository, base, (await lastCheck().catch(() => null))?.report ?? null),
  );
  const lastCheck = async (): Promise<CheckView | null> => {
    const at = lastCheckedAt(state);
    if (at === null) return null;
    const { report: found, delta } = await readEarlier('last', state, repository.from);
    const report = delta && !found.delta ? { ...found, delta } : found;
    const frames = lastFrames(state);
    const shown = report.findings.map(({ id }) => [id, [...(frames[id] ?? [])]] as const);
    return {
      schema: 'joinery/check-view@1',
      at: at.toISOString(),
      repository: name,
      report,
      frames: Object.fromEntries(shown) as CheckView['frames'],
    };
  };

  const checkNow = async (base: string | undefined, refs: readonly string[]): Promise<CheckView> => {
    const against = (await lastCheck().catch(() => null)) === null ? undefined : 'last';
    const flags = base === undefined ? [] : [baseOverride(base)];
    const { report, frames } = await checkHere(surroundings, { names: refs, hasBase: true, against, flags });
    return checkViewOf(report, frames, new Date(), name);
  };

  const readAll = () => {
    const damaged: HomeView['damaged'] = [];
    const states = runIds(engine).flatMap((run) => {
      try {
        return [[run, read(run).state] as const];
      } catch (error) {
        // One damaged log does not hide the other runs.
        damaged.push({ run, reason: (error as Error).message });
        return [];
      }
    });
    return { damaged, states, workflows: workflowRows(engine.store) };
  };
  const waitingIn = ({ states, workflows: listed }: ReturnType<typeof readAll>, check: CheckView | null) => [
    ...states.flatMap(([run, known]) => inboxOf(run, known)),
    ...gatesOf(listed),
    ...findingsOf(check),
  ];
  const summary = atMostEvery(summaryMs, async (): Promise<RepositorySummary> => {
    const check = await lastCheck().catch(() => null);
    const all = readAll();
    const inbox = waitingIn(all, check);
    const visited = visitedAt(state);
    const times = [
      ...all.states.map(([, known]) => known.at),
      ...all.workflows.map(({ at }) => at),
      ...(check ? [check.at] : []),
      ...(visited === null ? [] : [new Date(visited).toISOString()]),
    ];
    return {
      at: times.toSorted().at(-1) ?? null,
      runs: all.states.length + all.damaged.length,
      working: all.states.filter(([run, known]) => !hasEnded(known) && holderOf(run) !== null).length,
      waiting: inbox.length,
      inbox: inbox.slice(0, summaryInbox),
      check: check && checkRow(check),
    };
  });

  return {
    async home() {
      const base = room.config.base ?? (await defaultBranch(repository).catch(() => null));
      const check = await lastCheck().catch(() => null);
      const all = readAll();
      const { states, damaged, workflows: listed } = all;
      return {
        schema: 'joinery/home@1',
        repository: { key: repository.key, name, path: pathOf(repository), base },
        version: ownVersion(),
        runs: states.map(([run, known]) => rowOf(run, known, holderOf(run))),
        workflows: listed,
        damaged,
        branches: base === null ? [] : await branches(base, `${check?.at}`),
        inbox: waitingIn(all, check),
        visitors: visitorRows(readVisits(state), Date.now()),
        check: check && checkRow(check),
      };
    },
    summary: () => summary(undefined, ''),
    run(id) {
      const { state: known, prompts } = read(id);
      return viewOf(id, known, holderOf(id), prompts);
    },
    events(run, after, most, task) {
      engine.assertKnown(run);
      const events: RunEvent[] = [];
      for (const event of engine.read(run, after)) {
        if (task !== undefined && event.step !== task) continue;
        if (events.length === most) return { schema: 'joinery/events@1', run, events, isLast: false };
        events.push(event);
      }
      return { schema: 'joinery/events@1', run, events, isLast: true };
    },
    artifact(run, sha256) {
      const text = engine.artifact(run, sha256);
      if (text !== null) return text;
      throw notFound(`run ${run} has no artifact ${sha256}`);
    },
    async diff(run, task, attempt, since) {
      const step = read(run).state.steps.get(task);
      const of = (n: number) => step?.attempts.find((each) => each.n === n);
      const to = of(attempt)?.commit ?? of(attempt)?.kept;
      const from = since === undefined ? of(attempt)?.base : (of(since)?.commit ?? of(since)?.kept);
      if (!to || !from) throw notFound(`attempt ${attempt} of ${task} has no recorded work`);
      return diffBetween(repository, from, to);
    },
    check: lastCheck,
    runCheck(id, base, refs) {
      const known = checks.get(id);
      if (known) return known;
      const begun = checkNow(base, refs);
      checks.set(id, begun);
      for (const oldest of [...checks.keys()].slice(0, -rememberedWrites)) checks.delete(oldest);
      return begun;
    },
    specs: async () => ({
      schema: 'joinery/specs@1',
      specs: await specsOf(repository),
      agents: [...agentNames],
    }),
    report: (run) => finalReportOf(run, read(run).state),
    async handoffs(run) {
      const audit = await auditRun({ runs: room.runs, repository, state: (id) => read(id).state }, run);
      return audit.report(audit.code);
    },
    gateLog: (evidence) => gateLogOf(room.runs.folders.root, evidence),
    workflow: async (run) => workflowViewOf(await workflows(), run),
    async decide(run, wish) {
      const opened = await workflows();
      decideGateAt(opened, run, wish, senderFrom('dashboard'));
      return { isDriven: leaseOf(opened, run) };
    },
    start: (id, spec, agent) => background.start(id, spec, agent),
    async resume(run, id) {
      engine.assertKnown(run);
      if (holderOf(run) === null) await background.resume(id, run, () => holderOf(run) !== null);
      return { isDriven: true };
    },
    steer: (run, id, task, text) =>
      send(run, id, { name: 'steer', payload: { task, text } }, () =>
        assertAtWork(read(run).state, run, task),
      ),
    stop: (run, id, task, reason) =>
      send(run, id, { name: 'stop', payload: { task, reason } }, () =>
        assertAtWork(read(run).state, run, task),
      ),
    answer(run, id, question, words) {
      const asked = read(run).state.questions.get(question);
      if (!asked) throw notFound(`run ${run} has no question ${question}`);
      const payload = { question, ...understand(asked.question, words) };
      return send(run, id, { name: 'answer', payload }, () => assertOpen(run, asked, payload.answer));
    },
    async retry(run, id, task, context) {
      const wish = { name: 'retry', payload: { task, context } } as const;
      const { isNew, isDriven } = send(run, id, wish, () => retriable(read(run).state, run, task));
      if (isNew && !isDriven) await background.resume(id, run, () => !engine.hasWaitingSignal(run));
      return { isDriven: true };
    },
    budget: (run, id, budget) =>
      send(run, id, { name: 'budget', payload: budget }, () => assertNotEnded(run)),
    cancel: (run, id) =>
      send(run, id, { name: 'cancel', payload: null }, () => {
        if (read(run).state.status !== 'cancelled') assertNotEnded(run);
      }),
    since: (place, most) => readPlaced(engine.store, place, most),
    place: () => lastPlace(engine.store),
    removals: () => countRemoved(engine.store),
    checkedAt: () => lastCheckedAt(state)?.getTime() ?? null,
    visitedAt: () => visitedAt(state),
  };
}

/** Git is asked about branches at most this often, however much is written to the journal. */
const branchesMs = 2000;
/** A list of repositories reads the log of each at most this often. */
const summaryMs = 2000;
const summaryInbox = 20;
const rememberedWrites = 100;

/** The last answer to the same question, for a while. */
function atMostEvery<A, T>(ms: number, read: (argument: A) => Promise<T>) {
  let last: { key: string; at: number; value: Promise<T> } | null = null;
  return (argument: A, key: string): Promise<T> => {
    if (last === null || last.key !== key || Date.now() - last.at > ms)
      last = { key, at: Date.now(), value: read(argument) };
    return last.value;
  };
}

function openedOnce<T extends { close(): void }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null;
  return {
    get: () => {
      opened ??= open().catch((error: unknown) => {
        // A damaged file that is repaired is read again.
        opened = null;
        throw error;
      });
      return opened;
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}

function checkRow({ at, report }: CheckView): NonNullable<HomeView['check']> {
  return { status: report.status, at, findings: report.findings.length, branches: report.branches.length };
}

function findingsOf(check: CheckView | null): InboxItem[] {
  return (check?.report.findings ?? [])
    .filter(({ severity }) => severity === 'blocking')
    .map((finding) => ({
      kind: 'finding',
      title: finding.message,
      detail:
        finding.owner === null ? finding.suggestion : `${finding.owner} should move: ${finding.suggestion}`,
      run: null,
      task: null,
      question: null,
      finding: finding.id,
      at: check?.at ?? null,
    }));
}

function notFound(message: string): UsageError {
  return new UsageError({ code: 'not-found', message, hint: 'joinery runs' });
}
