import { EngineError, IllegalEventError, logDamaged } from '#durable/engine-error.ts';
import type { LocalEngine } from '#durable/local-engine.ts';
import { RunStatus, type RunsReport } from '#schema/run.ts';
import { workflowRunPrefix } from '#schema/workflow-run.ts';
import { foldEvents } from './fold.ts';
import { hasEnded, openQuestions, type RunState } from './state.ts';

/** The runs of plans in this repository by order of creation, never by a clock. Newest first. */
export function runIds(engine: LocalEngine): string[] {
  const rows = engine.store.db
    .prepare('SELECT run FROM runs WHERE pruned = 0 AND run NOT GLOB ? ORDER BY ord DESC')
    .all(`${workflowRunPrefix}*`);
  return (rows as { run: string }[]).map(({ run }) => run);
}

/** Runs of plans and of workflows that were pruned. */
export function countRemoved(store: LocalEngine['store']): number {
  const { n } = store.db.prepare('SELECT count(*) AS n FROM runs WHERE pruned = 1').get() as { n: number };
  return n;
}

export function stateOfRun(engine: LocalEngine, run: string): RunState {
  engine.assertKnown(run);
  try {
    return foldEvents(engine.read(run));
  } catch (error) {
    // No Joinery writes such a log: it was edited by hand.
    if (error instanceof IllegalEventError)
      throw logDamaged(run, `the log of run ${run} holds an ${error.message}`);
    throw error;
  }
}

/** Null when the log of this run is damaged: the other runs are not. */
export function stateIfWhole(engine: LocalEngine, run: string): RunState | null {
  try {
    return stateOfRun(engine, run);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'log-damaged') return null;
    throw error;
  }
}

/** The named run, or the newest one that qualifies; a unique abbreviation is enough. */
export function chooseRun(
  engine: LocalEngine,
  named: string | undefined,
  suits: 'any' | 'unfinished',
): string {
  const all = runIds(engine);
  if (named !== undefined) {
    const matching = all.includes(named) ? [named] : all.filter((run) => run.startsWith(named));
    if (matching.length === 1 && matching[0] !== undefined) return matching[0];
    throw new EngineError(
      'unknown-run',
      matching.length === 0
        ? `there is no run ${named} in this repository`
        : `${named} can be ${matching.join(' or ')}`,
      { hint: 'list runs with: joinery runs' },
    );
  }
  const found = suits === 'any' ? all[0] : all.find((run) => !isOver(lifeOf(engine, run)));
  if (found !== undefined) return found;
  throw new EngineError(
    'no-run',
    suits === 'any' ? 'this repository has no runs' : 'this repository has no unfinished run',
    {
      hint: 'start one: joinery run --plan plan.json',
    },
  );
}

/** True for runs that have ended and for runs that no longer exist. */
export function isRunOver(engine: LocalEngine, run: string): boolean {
  return !runIds(engine).includes(run) || isOver(lifeOf(engine, run));
}

function isOver(status: RunStatus): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled';
}

function damaged(engine: LocalEngine, run: string): RunsReport['runs'][number] {
  const sql = "SELECT min(at) AS at FROM journal WHERE run = ? AND kind = 'event'";
  const { at } = engine.store.db.prepare(sql).get(run) as { at: string | null };
  const isTime = at !== null && !Number.isNaN(Date.parse(at));
  return {
    run,
    status: lifeOf(engine, run),
    createdAt: isTime ? new Date(at).toISOString() : new Date(0).toISOString(),
    accepted: 0,
    tasks: 0,
    questions: 0,
    holder: null,
    damaged: true,
  };
}

/** The status from the last event about the run as a whole, without reading the rest of its log. */
export function lifeOf(engine: LocalEngine, run: string): RunStatus {
  const rows = engine.store.db
    .prepare("SELECT type, data FROM journal WHERE run = ? AND type GLOB 'run.*' ORDER BY id DESC")
    .iterate(run) as Iterable<{ type: string; data: string }>;
  for (const { type, data } of rows) {
    if (type === 'run.ended') return statusIn(data);
    if (type === 'run.reopened' || type === 'run.forked' || type === 'run.paused') return 'running';
  }
  return 'created';
}

function statusIn(data: string): RunStatus {
  try {
    return RunStatus.catch('failed').parse((JSON.parse(data) as { status: unknown }).status);
  } catch {
    return 'failed';
  }
}

export function runsReport(engine: LocalEngine): RunsReport {
  return {
    schema: 'joinery/runs@1',
    runs: runIds(engine).map((run) => {
      const state = stateIfWhole(engine, run);
      const holder = engine.holder(run);
      if (state === null) return damaged(engine, run);
      return {
        run,
        status: state.status,
        createdAt: state.createdAt,
        accepted: [...state.steps.values()].filter((step) => step.status === 'accepted').length,
        tasks: state.steps.size,
        questions: hasEnded(state) ? 0 : openQuestions(state).length,
        holder: holder?.isAlive ? holder.holder : null,
      };
    }),
  };
}

/** Deletes the log of a run. The caller holds no lease on it and has removed everything outside the log. */
export function deleteRun({ store }: Pick<LocalEngine, 'store'>, run: string): void {
  store.transaction(() => {
    store.db.prepare('UPDATE runs SET pruned = 1 WHERE run = ?').run(run);
    for (const table of ['journal', 'signals', 'signal_senders', 'ports'])
      store.db.prepare(`DELETE FROM ${table} WHERE run = ?`).run(run);
  });
}
