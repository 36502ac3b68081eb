import { setTimeout as wait } from 'node:timers/promises';
import type { DriveOptions, FlowContext, Json, Signal, StepCall } from '#schema/durable-port.ts';
import { type EventDraft, progressTypes } from '#schema/event.ts';
import { type Batch, type Journal, sha256 } from './journal.ts';
import { assertHeld, type Lease } from './lease.ts';
import type { Store } from './store.ts';

const progressDelayMs = 100;

interface SessionParts {
  readonly store: Store;
  readonly journal: Journal;
  readonly lease: Lease;
  readonly options: DriveOptions;
  readonly now: () => number;
  readonly probe: (point: string) => void;
}

/** One holder's session with a run: every write goes through `commit`, which checks the token in the same transaction. */
export class Session implements FlowContext {
  readonly run: string;
  readonly token: number;
  readonly #parts: SessionParts;
  readonly #lost = new AbortController();
  readonly #inFlight = new Map<string, Promise<Json>>();
  readonly #artifacts = new Map<string, string>();
  #progress: EventDraft[] = [];
  #timer: NodeJS.Timeout | null = null;
  onHeartbeat: () => void = () => {};

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.run = parts.lease.name;
    this.token = parts.lease.token;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Stops all further writes: the lease is lost or the log cannot be written. */
  lose(reason: unknown): void {
    if (!this.#lost.signal.aborted) this.#lost.abort(reason);
  }

  heartbeat(): void {
    this.onHeartbeat();
    this.#lost.signal.throwIfAborted();
  }

  keep(text: string): string {
    const hash = sha256(text);
    if (!this.#parts.journal.hasArtifact(hash)) this.#artifacts.set(hash, text);
    return hash;
  }

  append(events: readonly EventDraft[]): void {
    this.#commit({ events });
  }

  step<T extends Json>(
    key: string,
    run: (call: StepCall) => Promise<T> | T,
    intent?: readonly EventDraft[],
  ): Promise<T> {
    const running = this.#inFlight.get(key) as Promise<T> | undefined;
    if (running) return running;
    const promise = this.#execute(key, run, intent).finally(() => this.#inFlight.delete(key));
    this.#inFlight.set(key, promise);
    return promise;
  }

  async #execute<T extends Json>(
    key: string,
    run: (call: StepCall) => Promise<T> | T,
    intent: readonly EventDraft[] | undefined,
  ): Promise<T> {
    this.#lost.signal.throwIfAborted();
    const { journal, probe } = this.#parts;
    const recorded = journal.result(key);
    if (recorded) {
      // It may be the result of a process that took the run over: then this one must not continue from it.
      this.#assertHeld();
      return recorded.value as T;
    }
    const resumed = intent !== undefined && journal.hasBegun(key);
    if (intent !== undefined && !resumed) {
      probe(`${key}: before intent`);
      this.#commit({ events: intent, step: { key, kind: 'begun', value: null } });
    }
    const events: EventDraft[] = [];
    probe(`${key}: before effect`);
    const value = await run({
      idempotencyKey: `${this.run}/${key}`,
      resumed,
      emit: (event) => events.push(event),
      progress: (event) => this.#show(event),
    });
    probe(`${key}: before result`);
    this.#commit({ events, step: { key, kind: 'result', value } });
    probe(`${key}: after result`);
    return value;
  }

  async spawn<T extends Json>(key: string, flow: (context: FlowContext) => Promise<T>): Promise<T> {
    return this.step(`flow/${key}`, () => flow(this));
  }

  async sleep(key: string, ms: number, signal?: AbortSignal): Promise<void> {
    const wake = await this.step(`sleep/${key}`, () => this.#parts.now() + ms);
    const left = Math.min(ms, wake - this.#parts.now());
    const either = signal ? AbortSignal.any([signal, this.lost]) : this.lost;
    if (left > 0) await wait(left, undefined, { signal: either });
  }

  signals(): Signal[] {
    const rows = this.#parts.store.db
      .prepare(
        `SELECT id, name, payload, sender FROM signals s LEFT JOIN signal_senders USING (run, id) WHERE run = ? AND NOT EXISTS
         (SELECT 1 FROM journal WHERE run = s.run AND kind = 'result' AND kind <> 'event' AND key = 'signal/' || s.id) ORDER BY ord`,
      )
      .all(this.run) as unknown as { id: string; name: string; payload: string; sender: string | null }[];
    return rows.map(({ id, name, payload, sender }) => ({
      id,
      name,
      payload: JSON.parse(payload) as Json,
      ...(sender === null ? {} : { by: sender }),
    }));
  }

  close(): void {
    if (!this.#lost.signal.aborted && this.#progress.length > 0) this.#flush();
    if (this.#timer) clearTimeout(this.#timer);
  }

  #assertHeld(): void {
    try {
      assertHeld(this.#parts.store, this.#parts.lease);
    } catch (error) {
      this.lose(error);
      throw error;
    }
  }

  #show(event: EventDraft): void {
    if (!progressTypes.has(event.type)) throw new Error(`${event.type} changes state and must be emitted`);
    this.#progress.push(event);
    // Recorded at once: a kill in the next instant must not lose what was spent.
    if (event.type === 'attempt.spent') this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), progressDelayMs);
  }

  #flush(): void {
    try {
      this.#commit({});
    } catch {
      // `lost` is aborted by now: every flow stops at its next step and reports the cause.
    }
  }

  #commit(batch: Batch): void {
    this.#lost.signal.throwIfAborted();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const { store, journal, lease, options } = this.#parts;
    const events = [...this.#progress, ...(batch.events ?? [])];
    const artifacts = new Map(this.#artifacts);
    try {
      const numbered = store.transaction(() => {
        assertHeld(store, lease);
        const inserted = journal.insert({ ...batch, events, artifacts });
        options.guard?.(inserted);
        return inserted;
      });
      journal.settle();
      this.#progress = [];
      for (const hash of artifacts.keys()) this.#artifacts.delete(hash);
      if (numbered.length > 0) options.observe?.(numbered);
    } catch (error) {
      this.lose(error);
      throw error;
    }
  }
}
