import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { type ApiError, apiBase, type RunEvent } from './api.ts';

/** 'check': a check has ended, or its result may be stale. 'again': reload everything. */
export type StreamNews = { run: string; event: RunEvent } | 'check' | 'again';
type Listener = (message: StreamNews) => void;

/** 'refused': the server was restarted and does not know this browser. */
type Connection = 'open' | 'waiting' | 'refused';

const listeners = new Set<Listener>();
let connection: Connection = 'open';
const watchers = new Set<() => void>();
const retryMs = 2000;

function setConnection(next: Connection): void {
  if (connection === next) return;
  connection = next;
  for (const watcher of watchers) watcher();
}

function announce(message: StreamNews): void {
  for (const listener of listeners) listener(message);
}

/** One stream for the whole page, of the current repository. Returns a function that ends it. */
export function startStream(): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let place = '';
  const open = () => {
    source = new EventSource(`${apiBase()}/stream${place === '' ? '' : `?after=${place}`}`);
    source.onopen = () => setConnection('open');
    source.onmessage = ({ data, lastEventId }) => {
      place = lastEventId;
      announce(JSON.parse(data) as { run: string; event: RunEvent });
    };
    source.addEventListener('check', () => announce('check'));
    // Branches move without an event in any log.
    source.addEventListener('quiet', () => announce('check'));
    source.addEventListener('runs', () => announce('again'));
    // Reload what was read before the stream started, or failed while it was interrupted.
    source.addEventListener('open', () => announce('again'));
    source.onerror = async () => {
      // The browser reconnects by itself with the last id it has seen, unless it was refused.
      if (source?.readyState !== EventSource.CLOSED) return setConnection('waiting');
      const answer = await fetch('/api/v1/repositories').catch(() => null);
      if (isOver) return;
      setConnection(answer?.status === 401 ? 'refused' : 'waiting');
      timer = setTimeout(open, retryMs);
    };
  };
  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
  };
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => connection,
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

/** Reloads when the stream reports a change of what it shows; at most one request at a time. */
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
    let hasRead = false;
    const start = async () => {
      isReading = true;
      isWanted = false;
      try {
        const next = await readNow();
        if (isOver) return;
        hasRead = true;
        setValue({ key, value: next });
        setError(null);
      } catch (problem) {
        // While the server cannot be reached, the last result stays visible.
        if (!isOver && !(hasRead && (problem as ApiError).status === 0)) setError(problem as ApiError);
      } finally {
        // A burst of events causes only one more request.
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

/** Redraws durations every second, even if no event arrives. */
export function useNow(everyMs = 1000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
