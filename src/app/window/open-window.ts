import { basename } from 'node:path';
import { agentNames } from '#agents/open-driver.ts';
import { lastCheckedAt } from '#app/checks/report-history.ts';
import { auditRun } from '#app/handoffs/audit-run.ts';
import { openRuns, type RunRoom } from '#app/runs/run-room.ts';
import { visitedAt } from '#app/visitors/spool.ts';
import { openWorkflowRoom, type WorkflowRoom } from '#app/workflow/workflow-room.ts';
import { decideAtDashboard } from '#app/workplace/decision.ts';
import { stateOf } from '#app/workplace/state-of.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { countRemoved, runIds } from '#crew/state/catalogue.ts';
import { finalReportOf } from '#crew/state/final-report.ts';
import { lastPlace, readPlaced } from '#durable/journal.ts';
import type { Repository } from '#git/call/repository.ts';
import { defaultBranch } from '#git/refs/refs.ts';
import { describeDecider } from '#schema/decision.ts';
import type { RunEvent } from '#schema/event.ts';
import { atMostEvery } from './at-most-every.ts';
import { backgroundRuns } from './background-runs.ts';
import { branchRows } from './branch-rows.ts';
import { diffBetween } from './diff-between.ts';
import { gateLogOf } from './gate-log.ts';
import { notFound } from './not-found.ts';
import { homeOf, type Overview, summaryOf } from './overview.ts';
import { repositoryChecks } from './repository-checks.ts';
import { RunReadings } from './run-readings.ts';
import { viewOf } from './run-views.ts';
import { runWishes } from './run-wishes.ts';
import { specsOf } from './specs.ts';
import type { Window } from './window.ts';
import { decideGateAt, isDrivenHere, workflowRows, workflowViewOf } from './workflow-views.ts';

/** Minimum time between git calls about branches, however fast the journal grows. */
const branchesMs = 2000;
/** Minimum time between reads of each log for the list of repositories. */
const summaryMs = 2000;

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
  const state = stateOf(surroundings.env, repository.commonDir);
  const name = basename(pathOf(repository));
  const readings = new RunReadings(engine);
  const holderOf = (run: string) => readings.holderOf(run);
  const checks = repositoryChecks(repository, surroundings, state, name);
  const lastCheck = () => checks.last().catch(() => null);
  const overview = async (): Promise<Overview> => ({
    check: await lastCheck(),
    ...readings.all(),
    workflows: workflowRows(engine.store),
  });
  const branches = atMostEvery(branchesMs, async (base: string) =>
    branchRows(repository, base, (await lastCheck())?.report ?? null),
  );
  const summary = atMostEvery(summaryMs, async () => summaryOf(await overview(), holderOf, state));

  return {
    async home() {
      const base = room.config.base ?? (await defaultBranch(repository).catch(() => null));
      const known = await overview();
      const rows = base === null ? [] : await branches(base, `${known.check?.at}`);
      const shown = { key: repository.key, name, path: pathOf(repository), base };
      return homeOf(known, shown, rows, holderOf, state);
    },
    summary: () => summary(undefined, ''),
    check: checks.last,
    runCheck: checks.run,
    specs: async () => ({
      schema: 'joinery/specs@1',
      specs: await specsOf(repository),
      agents: [...agentNames],
    }),
    workflow: async (run) => workflowViewOf(await workflows(), run),
    async decide(run, wish) {
      const opened = await workflows();
      decideGateAt(opened, run, wish, describeDecider(decideAtDashboard()));
      return { isDriven: isDrivenHere(opened, run) };
    },
    ...viewsOfRuns(room, readings),
    ...runWishes(room, readings, startedHere(room, surroundings, state)),
    since: (place, most) => readPlaced(engine.store, place, most),
    place: () => lastPlace(engine.store),
    removals: () => countRemoved(engine.store),
    checkedAt: () => lastCheckedAt(state)?.getTime() ?? null,
    visitedAt: () => visitedAt(state),
  };
}

function viewsOfRuns(
  { repository, runs }: RunRoom,
  readings: RunReadings,
): Pick<Window, 'run' | 'events' | 'artifact' | 'diff' | 'report' | 'handoffs' | 'gateLog'> {
  const { engine } = runs;
  return {
    run(id) {
      const { state, prompts } = readings.of(id);
      return viewOf(id, state, readings.holderOf(id), prompts);
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
      const step = readings.of(run).state.steps.get(task);
      const of = (n: number) => step?.attempts.find((each) => each.n === n);
      const to = of(attempt)?.commit ?? of(attempt)?.kept;
      const from = since === undefined ? of(attempt)?.base : (of(since)?.commit ?? of(since)?.kept);
      if (!to || !from) throw notFound(`attempt ${attempt} of ${task} has no recorded work`);
      return diffBetween(repository, from, to);
    },
    report: (run) => finalReportOf(run, readings.of(run).state),
    async handoffs(run) {
      const audit = await auditRun({ runs, repository, state: (id) => readings.of(id).state }, run);
      return audit.report(audit.code);
    },
    gateLog: (evidence) => gateLogOf(runs.folders.root, evidence),
  };
}

/** Runs that this server starts. Specs are named from the top of the repository, wherever the server was started. */
function startedHere({ repository, runs: { engine } }: RunRoom, { cwd, env }: Surroundings, state: string) {
  const firstHolder = (run: string) => {
    for (const event of engine.read(run)) if (event.type === 'run.opened') return event.data.holder;
    return undefined;
  };
  return backgroundRuns({ cwd: repository.workTree ?? cwd, env }, state, () => runIds(engine), firstHolder);
}

function openedOnce<T extends { close(): void }>(open: () => Promise<T>) {
  let opened: Promise<T> | null = null;
  return {
    get: () => {
      opened ??= open().catch((error: unknown) => {
        // After a repair the damaged file is read again.
        opened = null;
        throw error;
      });
      return opened;
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}
