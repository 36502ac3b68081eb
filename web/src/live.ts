import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { type ApiError, apiBase, type RunEvent } from './api.ts';

export type StreamNews = { run: string; event: RunEvent } | 'check';
type Listener = (message: StreamNews) => void;

const listeners = new Set<Listener>();
let isConnected = true;
const watchers = new Set<() => void>();

/**
 * One stream for the whole page, of the repository in sight. The browser reconnects by itself and sends the last id it has
 * seen. Returns how to end it.
 */
export function startStream(): () => void {
  const source = new EventSource(`${apiBase()}/stream`);
  const tell = (connected: boolean) => {
    isConnected = connected;
    for (const watcher of watchers) watcher();
  };
  source.onopen = () => tell(true);
  source.onerror = () => tell(false);
  source.onmessage = ({ data }) => {
    const message = JSON.parse(data) as { run: string; event: RunEvent };
    for (const listener of listeners) listener(message);
  };
  const lookAgain = () => {
    for (const listener of listeners) listener('check');
  };
  source.addEventListener('check', lookAgain);
  // What was written after the first reading and before the stream began is on no stream.
  source.addEventListener('open', lookAgain, { once: true });
  return () => source.close();
}

export function useConnected(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isConnected,
  );
}

function useStream(listener: Listener): void {
  const heard = useEffectEvent(listener);
  useEffect(() => {
    const each: Listener = (message) => heard(message);
    listeners.add(each);
    return () => {
      listeners.delete(each);
    };
  }, []);
}

const settleMs = 120;

interface Loaded<T> {
  readonly value: T | null;
  readonly error: ApiError | null;
}

/** Reads again when the stream says that something it shows has changed; at most one reading at a time. */
export function useLive<T>(
  read: () => Promise<T>,
  key: string,
  isAffected: (message: StreamNews) => boolean,
  everyMs = settleMs,
): Loaded<T> {
  const [value, setValue] = useState<{ key: string; value: T } | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const readNow = useEffectEvent(read);
  const wish = useRef<() => void>(() => {});

  useEffect(() => {
    let isOver = false;
    let isReading = false;
    let isWanted = false;
    const start = async () => {
      isReading = true;
      isWanted = false;
      try {
        const next = await readNow();
        if (isOver) return;
        setValue({ key, value: next });
        setError(null);
      } catch (problem) {
        if (!isOver) setError(problem as ApiError);
      } finally {
        // A burst of events is one more reading, however many there were.
        setTimeout(() => {
          isReading = false;
          if (isWanted && !isOver) start();
        }, everyMs);
      }
    };
    wish.current = () => {
      isWanted = true;
      if (!isReading && !isOver) start();
    };
    start();
    return () => {
      isOver = true;
    };
  }, [key, everyMs]);

  const isDue = useEffectEvent(isAffected);
  useStream((message) => {
    if (isDue(message)) wish.current();
  });
  return { value: value?.key === key ? value.value : null, error };
}

/** Seconds pass even when nothing is written: what shows durations draws again. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
