import type { LeaseHolder } from '#schema/durable-port.ts';
import { FencedError, LeaseHeldError } from './engine-error.ts';
import { isRunning, thisProcess } from './process-identity.ts';
import type { Store } from './store.ts';

interface LeaseRow {
  readonly token: number;
  readonly holder: string;
  readonly host: string;
  readonly pid: number;
  readonly started: string;
  readonly expires: number;
  readonly ttl: number;
}

export interface Lease {
  readonly name: string;
  readonly token: number;
}

/** The lease of a killed process is free at once; that of a process that hangs or runs on another machine, when it expires. */
export function takeLease(store: Store, name: string, holder: string, now: number, ttl: number): Lease {
  const taken = store.transaction((): Lease | { readonly heldBy: string } => {
    const row = readRow(store, name);
    if (row && isHeld(row, now)) {
      // An expiry further away than the lease is long means that the clock went back: restart the wait.
      if (row.expires > now + row.ttl) {
        store.db.prepare('UPDATE leases SET expires = ? WHERE name = ?').run(now + row.ttl, name);
      }
      return { heldBy: row.holder };
    }
    const token = (row?.token ?? 0) + 1;
    const self = thisProcess();
    store.db
      .prepare(
        `INSERT INTO leases VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET token = excluded.token,
         holder = excluded.holder, host = excluded.host, pid = excluded.pid, started = excluded.started,
         expires = excluded.expires, ttl = excluded.ttl`,
      )
      .run(name, token, holder, self.host, self.pid, self.started, now + ttl, ttl);
    return { name, token };
  });
  if ('heldBy' in taken) throw new LeaseHeldError(name, taken.heldBy);
  return taken;
}

/** Called inside a transaction: nothing is written under a token that is not the newest. */
export function assertHeld(store: Store, lease: Lease): void {
  const row = readRow(store, lease.name);
  if (row?.token !== lease.token || row.holder === '') {
    throw new FencedError(lease.name, lease.token, row?.token ?? 0);
  }
}

export function renewLease(store: Store, lease: Lease, now: number, ttl: number): void {
  store.transaction(() => {
    assertHeld(store, lease);
    store.db.prepare('UPDATE leases SET expires = ? WHERE name = ?').run(now + ttl, lease.name);
  });
}

/** Keeps the row, so that the next token is greater. Ignores a full disk: the lease also ends with the process. */
export function releaseLease(store: Store, lease: Lease): void {
  try {
    store.db
      .prepare("UPDATE leases SET holder = '', expires = 0 WHERE name = ? AND token = ?")
      .run(lease.name, lease.token);
  } catch {
    // The lease expires.
  }
}

export function leaseHolder(store: Store, name: string, now: number): LeaseHolder | null {
  const row = readRow(store, name);
  if (!row || row.holder === '') return null;
  return { holder: row.holder, token: row.token, isAlive: isHeld(row, now) };
}

function readRow(store: Store, name: string): LeaseRow | undefined {
  return store.db.prepare('SELECT * FROM leases WHERE name = ?').get(name) as unknown as LeaseRow | undefined;
}

function isHeld(row: LeaseRow, now: number): boolean {
  if (row.holder === '' || row.expires <= now) return false;
  return row.host !== thisProcess().host || isRunning(row.pid, row.started);
}
