import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { EvidenceStore } from '#gates/runner/store.ts';

/** What runners say when they wait for a file to change, with CI=true or without. */
const waitingSays =
  /waiting for file changes|press (?:h|q) to (?:show help|quit)|^watch usage\b|\[nodemon\] (?:clean exit|watching)|watching for (?:file )?changes|^[^\S\n]*q to quit$/im;
const everyMs = 1000;
const tailBytes = 4096;

interface Watched {
  /** Its next log is read while it is written. */
  readonly store: EvidenceStore;
  readonly signal: AbortSignal;
  isWaiting(): boolean;
  stop(): void;
}

/** Ends a test runner that waits for changes instead of ending: it would only use up its time. */
export function endWaiting(store: EvidenceStore, signal: AbortSignal): Watched {
  const end = new AbortController();
  let log: string | null = null;
  let waits = false;
  const timer = setInterval(() => {
    waits = log !== null && waitingSays.test(tailOf(log));
    if (waits) end.abort();
  }, everyMs);
  timer.unref();
  return {
    store: {
      ...store,
      newLog: (at, name) => {
        log = store.newLog(at, name);
        return log;
      },
    },
    signal: AbortSignal.any([signal, end.signal]),
    isWaiting: () => end.signal.aborted && waits,
    stop: () => clearInterval(timer),
  };
}

function tailOf(file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const { size } = fstatSync(handle);
      const bytes = Buffer.alloc(Math.min(size, tailBytes));
      readSync(handle, bytes, 0, bytes.length, Math.max(0, size - bytes.length));
      return bytes.toString('utf8');
    } finally {
      closeSync(handle);
    }
  } catch {
    return '';
  }
}
