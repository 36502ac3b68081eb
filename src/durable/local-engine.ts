import { containmentHere, describeContainment } from '#process/containment.ts';
import type { DriveOptions, EnginePort, FlowContext, LeaseHolder, Signal } from '#schema/durable-port.ts';
import type { EventDraft, RunEvent } from '#schema/event.ts';
import { EngineError } from './engine-error.ts';
import { Journal, readArtifact, readEvents } from './journal.ts';
import { type Lease, leaseHolder, releaseLease, renewLease, takeLease } from './lease.ts';
import { Session } from './session.ts';
import type { Store } from './store.ts';

export interface LocalEngineOptions {
  /** Milliseconds since 1970; may jump either way. */
  readonly now?: () => number;
  readonly leaseMs?: number;
  /** Called at every point where a crash must be survivable; tests crash there. */
  readonly probe?: (point: string) => void;
}

const defaultLeaseMs = 15_000;

/** The engine for one machine: one SQLite file per repository, no service to start. */
export class LocalEngine implements EnginePort {
  readonly store: Store;
  readonly #now: () => number;
  readonly #leaseMs: number;
  readonly #probe: (point: string) => void;

  constructor(store: Store, options: LocalEngineOptions = {}) {
    this.store = store;
    this.#now = options.now ?? Date.now;
    this.#leaseMs = options.leaseMs ?? defaultLeaseMs;
    this.#probe = options.probe ?? (() => {});
  }

  start(run: string, events: readonly EventDraft[]): boolean {
    return this.store.transaction(() => {
      const added = this.store.db.prepare('INSERT OR IGNORE INTO runs (run) VALUES (?)').run(run);
      if (added.changes === 0) return false;
      new Journal(this.store, run, this.#now).insert({ events });
      return true;
    });
  }

  async drive<T>(run: string, options: DriveOptions, flow: (context: FlowContext) => Promise<T>): Promise<T> {
    this.assertKnown(run);
    const lease = takeLease(this.store, run, options.holder, this.#now(), this.#leaseMs);
    const journal = new Journal(this.store, run, this.#now);
    const session = new Session({
      store: this.store,
      journal,
      lease,
      options,
      now: this.#now,
      probe: this.#probe,
    });
    const stopHeartbeat = this.#keepAlive(session, lease);
    try {
      const containment = describeContainment(containmentHere());
      session.append([
        { type: 'run.opened', data: { token: lease.token, holder: options.holder, containment } },
      ]);
      return await flow(session);
    } finally {
      stopHeartbeat();
      session.close();
      releaseLease(this.store, lease);
    }
  }

  signal(run: string, signal: Signal): void {
    this.assertKnown(run);
    const { id, name, payload, by } = signal;
    this.store.transaction(() => {
      const { changes } = this.store.db
        .prepare('INSERT OR IGNORE INTO signals (run, id, name, payload) VALUES (?, ?, ?, ?)')
        .run(run, id, name, JSON.stringify(payload));
      if (changes > 0 && by !== undefined)
        this.store.db
          .prepare('INSERT OR IGNORE INTO signal_senders (run, id, sender) VALUES (?, ?, ?)')
          .run(run, id, by);
    });
  }

  hasSignal(run: string, id: string): boolean {
    const sql = 'SELECT 1 FROM signals WHERE run = ? AND id = ?';
    return this.store.db.prepare(sql).get(run, id) !== undefined;
  }

  /** Whether a signal waits for a process that drives the run. */
  hasWaitingSignal(run: string): boolean {
    const sql = `SELECT 1 FROM signals s WHERE run = ? AND NOT EXISTS
      (SELECT 1 FROM journal WHERE run = s.run AND kind = 'result' AND key = 'signal/' || s.id)`;
    return this.store.db.prepare(sql).get(run) !== undefined;
  }

  /** Withdraws a signal that had no effect yet. False: it had an effect or was already withdrawn. */
  withdraw(run: string, id: string): boolean {
    const sql = `DELETE FROM signals WHERE run = ? AND id = ? AND NOT EXISTS
      (SELECT 1 FROM journal WHERE run = signals.run AND kind = 'result' AND key = 'signal/' || signals.id)`;
    return this.store.transaction(() => this.store.db.prepare(sql).run(run, id).changes) > 0;
  }

  read(run: string, after = 0): IterableIterator<RunEvent> {
    return readEvents(this.store, run, after);
  }

  artifact(run: string, sha256: string): string | null {
    return readArtifact(this.store, run, sha256);
  }

  holder(run: string): LeaseHolder | null {
    return leaseHolder(this.store, run, this.#now());
  }

  assertKnown(run: string): void {
    const row = this.store.db.prepare('SELECT 1 FROM runs WHERE run = ? AND pruned = 0').get(run);
    if (!row) {
      throw new EngineError('unknown-run', `there is no run ${run} in this repository`, {
        hint: 'list runs with: joinery runs',
      });
    }
  }

  #keepAlive(session: Session, lease: Lease): () => void {
    const beat = () => {
      try {
        renewLease(this.store, lease, this.#now(), this.#leaseMs);
      } catch (error) {
        session.lose(error);
      }
    };
    session.onHeartbeat = beat;
    const timer = setInterval(beat, this.#leaseMs / 3);
    timer.unref();
    return () => clearInterval(timer);
  }
}
