import type { EventDraft, RunEvent } from './event.ts';

/**
 * The port between an engine and the flows it runs. An engine keeps, per run, one append-only event log and one result per finished step;
 * everything else (agents, git, people) is in the step functions.
 *
 * Promises an engine makes, tested by `test/conformance/engine-port.ts`:
 * 1. A step whose result is recorded is never run again; its result is returned.
 * 2. A step's events and its result become durable together or not at all.
 * 3. A step that was interrupted runs again with the same key: at least once. Effects must be idempotent by key.
 * 4. `intent` is durable before the effect begins; `call.resumed` says that an earlier try got that far.
 * 5. One holder per run. A holder that lost its lease cannot append, finish a step or answer a signal.
 * 6. `seq` has no gaps and `at` never goes back, whatever the clock does.
 * 7. Signals are delivered at least once; a step keyed by the signal's id makes it exactly once.
 */
export interface EnginePort {
  /** Creates the run with its first events. A second start of the same run changes nothing and returns false. */
  start(run: string, events: readonly EventDraft[]): boolean;
  /** Takes the lease and drives the flow until it returns, or throws `LeaseHeldError`. */
  drive<T>(run: string, options: DriveOptions, flow: (context: FlowContext) => Promise<T>): Promise<T>;
  /** Sends a signal from any process, whether or not a process drives the run. Idempotent by id. */
  signal(run: string, signal: Signal): void;
  read(run: string, after?: number): IterableIterator<RunEvent>;
  artifact(run: string, sha256: string): string | null;
  holder(run: string): LeaseHolder | null;
}

export interface DriveOptions {
  readonly holder: string;
  /** Called before events become durable; throwing refuses them. */
  readonly guard?: (events: readonly RunEvent[]) => void;
  /** Called after events became durable. */
  readonly observe?: (events: readonly RunEvent[]) => void;
}

export interface LeaseHolder {
  readonly holder: string;
  /** Grows with every new holder, so that earlier holders are fenced off. */
  readonly token: number;
  readonly isAlive: boolean;
}

export interface Signal {
  readonly id: string;
  readonly name: string;
  readonly payload: Json;
  /** Who sent it: 'ada (dashboard)'. */
  readonly by?: string;
}

/** A key with the value `undefined` is left out, as in `JSON.stringify`. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

export interface FlowContext {
  readonly run: string;
  readonly token: number;
  /** Aborted when the lease is lost: stop effects at once. */
  readonly lost: AbortSignal;
  step<T extends Json>(
    key: string,
    run: (call: StepCall) => Promise<T> | T,
    intent?: readonly EventDraft[],
  ): Promise<T>;
  /** Appends at once. For events that follow from the log and can be derived again after a crash. */
  append(events: readonly EventDraft[]): void;
  /** Runs a part of the flow in parallel; its result is recorded under the key like a step's. */
  spawn<T extends Json>(key: string, flow: (context: FlowContext) => Promise<T>): Promise<T>;
  /** The wake-up time is recorded: after a restart only the rest is slept, and never longer than `ms`. */
  sleep(key: string, ms: number, signal?: AbortSignal): Promise<void>;
  /** Signals not yet answered by a finished step `signal/<id>`. */
  signals(): Signal[];
  /** Stores a text under its hash; durable at the latest with the next event. */
  keep(text: string): string;
  /** Throws `FencedError` when another process holds the run. */
  heartbeat(): void;
}

export interface StepCall {
  /** Pass it to external systems: two executions of the same step have the same key. */
  readonly idempotencyKey: string;
  /** True when an earlier try recorded the intent of this step but did not finish. */
  readonly resumed: boolean;
  /** Becomes durable together with the step's result. */
  emit(event: EventDraft): void;
  /** Becomes durable soon, even if the step fails. Only for events that change no state. */
  progress(event: EventDraft): void;
}
