import { RunRefs } from '#git/refs/run-refs.ts';
import type { FlowContext } from '#schema/durable-port.ts';
import type { EventDraft, RunEvent } from '#schema/event.ts';
import type { Plan } from '#schema/plan.ts';
import type { RunSettings } from '#schema/run.ts';
import { applyEvent, foldEvents } from './state/fold.ts';
import { integrationBranch, newRunId, taskBranch, taskSlugs } from './state/names.ts';
import { openPremises, type Premises } from './state/premises.ts';
import { writeCheckpoint, writeProjections } from './state/projection-files.ts';
import {
  hasEnded,
  isAccepted,
  isSettled,
  openQuestions,
  type RunState,
  type StepState,
  stepOf,
} from './state/state.ts';
import { budgetEvents } from './steer/budget.ts';
import { closingEvents, isReadyToLand, isToldToStop } from './steer/ending.ts';
import { type Phases, planFirst } from './steer/phases.ts';
import { haltEvents, overdueAnswers } from './steer/questions.ts';
import { reconcile, sweep } from './steer/reconcile.ts';
import { shouldHalt, startOrder, tasksToStart } from './steer/schedule.ts';
import { answerSignals } from './steer/signals.ts';
import type { TaskFlow } from './task/task.ts';
import { runTask } from './task/task-flow.ts';
import { marksOfWorktree } from './watch/marks.ts';
import { RefWatch } from './watch/ref-watch.ts';
import { Siblings } from './watch/siblings.ts';
import type { Workshop } from './workshop.ts';

const pollMs = 200;

export interface NewRun {
  /** Without tasks when the run starts from a spec. */
  readonly plan: Plan;
  readonly spec?: { readonly path: string; readonly sha256: string };
  /** Target branch; null when there is none. */
  readonly target?: string | null;
  readonly base: string;
  readonly baseRef: string;
  readonly settings: RunSettings;
}

/** Records the run without starting it. */
export function createRun(workshop: Workshop, wanted: NewRun, run = newRunId()): string {
  const slugs = taskSlugs(wanted.plan);
  const branches = Object.fromEntries([...slugs].map(([id, slug]) => [id, taskBranch(run, slug)]));
  const data = { ...wanted, integration: integrationBranch(run), branches };
  workshop.engine.start(run, [{ type: 'run.created', data }]);
  return run;
}

export interface RunControl {
  /** Aborted by a person: stop cleanly, the run can be resumed. */
  readonly stop: AbortSignal;
  readonly observe?: (events: readonly RunEvent[], state: RunState) => void;
  readonly holder: string;
  /** Without phases a run needs a plan, and its work stays on its integration branch. */
  readonly phases?: Phases;
}

/** Applies pending signals and stops. */
export async function takeOverSignals(workshop: Workshop, run: string, holder: string): Promise<RunState> {
  return drive(workshop, run, { holder, stop: new AbortController().signal }, (crew, hasWaited) =>
    crew.listen(hasWaited),
  );
}

/** Drives a run until it ends, waits for a person or is stopped. Finished work is not repeated. */
export function driveRun(workshop: Workshop, run: string, control: RunControl): Promise<RunState> {
  return drive(workshop, run, control, (crew) => crew.work());
}

async function drive(
  workshop: Workshop,
  run: string,
  control: RunControl,
  work: (crew: Crew, hasWaited: boolean) => Promise<void>,
): Promise<RunState> {
  const state = foldEvents(workshop.engine.read(run));
  const hasWaited = state.status === 'awaiting_human';
  let crew: Crew | null = null;
  await workshop.engine.drive(
    run,
    {
      holder: control.holder,
      guard: (events) => catchUp(workshop, run, state, events),
      observe: (events) => {
        const { engine, folders } = workshop;
        writeCheckpoint(folders, run, state, events, (hash) => engine.artifact(run, hash));
        control.observe?.(events, state);
        crew?.notice(events);
      },
    },
    async (context) => {
      const { commonDir } = workshop.repository;
      const report = (what: string) => context.append([{ type: 'run.degraded', data: { what } }]);
      const isHolder = () => workshop.engine.holder(run)?.token === context.token;
      const refs = await RunRefs.raise(workshop.git, run, context.token, { commonDir, report, isHolder });
      const lead = async () => {
        await reconcile(workshop, context, refs, state);
        const { phases, stop } = control;
        const flow = { workshop, context, refs, state, stop };
        if (phases && !(await planFirst(phases, flow))) return false;
        crew = new Crew(flow, phases ?? null);
        await work(crew, hasWaited);
        return true;
      };
      const tell = (left: readonly string[]) => {
        for (const what of left) context.append([{ type: 'run.degraded', data: { what } }]);
      };
      const tidyUp = async () => {
        await crew?.close();
        if (!context.lost.aborted) tell(await sweep(workshop, run, state, refs));
      };
      try {
        const hasWorked = await lead().catch(async (error) => {
          // The first error is the cause of the later ones.
          await tidyUp().catch(() => {});
          throw error;
        });
        await tidyUp();
        if (!hasWorked) return;
      } finally {
        refs.close();
      }
      const { engine, folders } = workshop;
      writeProjections(folders, {
        run,
        events: engine.read(run),
        artifact: (hash) => engine.artifact(run, hash),
      });
    },
  );
  return state;
}

/** Reads events that another process wrote between our first read and our lease. */
function catchUp(workshop: Workshop, run: string, state: RunState, events: readonly RunEvent[]): void {
  const first = events[0];
  if (first && first.seq > state.seq + 1) {
    for (const missed of workshop.engine.read(run, state.seq)) {
      if (missed.seq < first.seq) applyEvent(state, missed);
    }
  }
  for (const event of events) applyEvent(state, event);
}

/** The tasks in flight in this process, and the decision what comes next. */
class Crew {
  readonly #flow: Omit<TaskFlow, 'id' | 'slug' | 'premises'>;
  readonly #phases: Phases | null;
  #premises: Promise<Premises> | null = null;
  #plan: Plan | null = null;
  #order: readonly string[] = [];
  readonly #slugs = new Map<string, string>();
  readonly #inFlight = new Map<string, Promise<void>>();
  /** Ends the agent of one task. */
  readonly #stops = new Map<string, AbortController>();
  readonly #cancel = new AbortController();
  readonly #failure = new AbortController();
  /** The budget is spent: agents are stopped and nothing new starts. */
  readonly #broke = new AbortController();
  #wake: () => void = () => {};

  constructor(
    flow: Omit<
      TaskFlow,
      'id' | 'slug' | 'siblings' | 'refWatch' | 'premises' | 'waiting' | 'review' | 'lead'
    >,
    phases: Phases | null,
  ) {
    this.#phases = phases;
    const { context, state, workshop } = flow;
    const { repository, provisioning } = workshop;
    const siblings = new Siblings((path) => marksOfWorktree(repository, path, provisioning.folders));
    const stop = AbortSignal.any([
      flow.stop,
      this.#cancel.signal,
      this.#failure.signal,
      this.#broke.signal,
      context.lost,
    ]);
    this.#readPlan(state);
    const refWatch = new RefWatch({
      run: context.run,
      token: context.token,
      repository,
      git: workshop.git,
      refs: flow.refs,
      slugs: this.#slugs,
      worktrees: workshop.folders.worktrees(''),
      report: (what) => context.append([{ type: 'run.degraded', data: { what } }]),
    });
    const waiting = { ids: new Set<string>(), isHopeless: false };
    this.#flow = {
      ...flow,
      stop,
      siblings,
      refWatch,
      waiting,
      review: phases?.review ?? null,
      lead: phases?.lead ?? null,
    };
  }

  /** A run may get more tasks; existing ids do not change. */
  #readPlan({ plan }: RunState): void {
    if (this.#plan === plan) return;
    this.#plan = plan;
    this.#order = startOrder(plan);
    for (const [id, slug] of taskSlugs(plan)) this.#slugs.set(id, slug);
  }

  get #state(): RunState {
    return this.#flow.state;
  }

  get #context(): FlowContext {
    return this.#flow.context;
  }

  get #stop(): AbortSignal {
    return this.#flow.stop;
  }

  /** Handles requests of other processes; a cancelled or stopped run ends here. */
  async listen(hasWaited: boolean): Promise<void> {
    if (await answerSignals(this.#context, this.#state)) this.#cancel.abort('cancelled');
    if (hasEnded(this.#state)) return;
    this.#stopTasks();
    const steps = [...this.#state.steps.values()];
    const isKept = this.#state.isKept && steps.every((step) => isAccepted(this.#state, step));
    const isOver = this.#cancel.signal.aborted || isToldToStop(this.#state) || isKept;
    // An answer does not start the work: the run still waits for a person, who resumes it.
    const reason = hasWaited || openQuestions(this.#state).length > 0 ? 'awaiting_human' : 'interrupted';
    this.#context.append(isOver ? this.#closingEvents() : [{ type: 'run.paused', data: { reason } }]);
  }

  /** Checks the budget after every cost report, everything else periodically. */
  notice(events: readonly RunEvent[]): void {
    if (events.some(({ type }) => type === 'attempt.spent')) this.#wake();
  }

  async work(): Promise<void> {
    while (!this.#stop.aborted) {
      if (await answerSignals(this.#context, this.#state)) this.#cancel.abort('cancelled');
      if (hasEnded(this.#state)) return;
      this.#stopTasks();
      this.#decideAnswers();
      if (isToldToStop(this.#state) || this.#stop.aborted) break;
      this.#startTasks();
      if (this.#inFlight.size === 0) break;
      await this.#nextChange();
    }
    await Promise.allSettled(this.#inFlight.values());
    // Throws when the lease was lost, which explains any other error.
    this.#context.heartbeat();
    if (!this.#failure.signal.aborted) {
      for (const what of await sweep(this.#flow.workshop, this.#context.run, this.#state, this.#flow.refs))
        this.#context.append([{ type: 'run.degraded', data: { what } }]);
    }
    const closing = this.#canLand() ? await this.#land() : this.#closingEvents();
    this.#context.append(closing);
    if (this.#failure.signal.aborted) throw this.#failure.signal.reason;
  }

  #canLand(): boolean {
    return this.#phases !== null && !this.#stop.aborted && isReadyToLand(this.#state);
  }

  async #land(): Promise<EventDraft[]> {
    try {
      return (await this.#phases?.land(this.#flow)) ?? [];
    } catch (error) {
      if (!this.#stop.aborted) throw error;
      return this.#closingEvents();
    }
  }

  #decideAnswers(): void {
    const now = this.#flow.workshop.now();
    const overdue = overdueAnswers(this.#state, now);
    if (overdue.length > 0) this.#context.append(overdue);
    const halt = shouldHalt(this.#state);
    if (halt) this.#context.append(haltEvents(this.#state, halt, now));
    const budget = budgetEvents(this.#state, now);
    if (budget.length > 0) this.#context.append(budget);
    if (this.#state.isOverspent) this.#broke.abort('the budget is spent');
  }

  #startTasks(): void {
    const { waiting } = this.#flow;
    this.#readPlan(this.#state);
    const ids = tasksToStart(this.#state, this.#order, new Set(this.#inFlight.keys()), waiting.ids);
    waiting.isHopeless = ids.length === 0 && waiting.ids.size === this.#inFlight.size;
    for (const id of ids) {
      const slug = this.#slugs.get(id) ?? id;
      const { retries, waits } = stepOf(this.#state, id);
      const name = `${id}#${retries}${waits === 0 ? '' : `.${waits}`}`;
      const own = new AbortController();
      this.#stops.set(id, own);
      const stop = AbortSignal.any([this.#stop, own.signal]);
      const flow = this.#context.spawn(name, async (context) =>
        runTask({ ...this.#flow, stop, premises: await this.#open(), context, id, slug }),
      );
      this.#inFlight.set(
        id,
        flow.then(
          () => this.#finished(id, stepOf(this.#state, id)),
          (error: unknown) => {
            // A stop makes flows throw; only other errors are reported.
            if (!this.#stop.aborted && !own.signal.aborted) this.#failure.abort(error);
            this.#finished(id, null);
          },
        ),
      );
    }
  }

  /** Runs before the first task, and so before any agent starts. */
  #open(): Promise<Premises> {
    const { workshop, context, refs, state, refWatch } = this.#flow;
    this.#premises ??= refWatch.look().then(() => openPremises(workshop, context, refs, state));
    return this.#premises;
  }

  async close(): Promise<void> {
    this.#flow.refWatch.close();
    const premises = await this.#premises?.catch(() => null);
    await premises?.close();
  }

  /** Tasks that a person wants to stop: first the agent is ended, then the task is marked as failed. */
  #stopTasks(): void {
    for (const [id, step] of this.#state.steps) {
      const { stopping: reason } = step;
      if (reason === null || isSettled(step)) continue;
      if (this.#inFlight.has(id)) this.#stops.get(id)?.abort(reason);
      else this.#context.append([{ type: 'step.failed', step: id, data: { reason } }]);
    }
  }

  #finished(id: string, step: StepState | null): void {
    this.#inFlight.delete(id);
    this.#stops.delete(id);
    if (step && !isSettled(step) && step.parkedFor === null && step.stopping === null)
      this.#failure.abort(new Error(`task ${id} ended as ${step.status}`));
    this.#wake();
  }

  /** Waits until something finishes, a signal arrives (polled), or it is time to stop. */
  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#stop.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, pollMs);
      this.#stop.addEventListener('abort', done, { once: true });
      this.#wake = done;
    });
  }

  #closingEvents(): EventDraft[] {
    const isInterrupted = this.#stop.aborted && !this.#broke.signal.aborted;
    return closingEvents(this.#state, { isCancelled: this.#cancel.signal.aborted, isInterrupted });
  }
}
