import { useEffect, useState } from 'react';
import { api, type RunEvent } from '../api.ts';
import { lineOf } from './event-line.ts';
import { LogView } from './log-view.tsx';

/** Reads a log page by page and continues where it stopped when `seq` grows. */
export function useEvents(run: string, seq: number, task?: string): readonly RunEvent[] {
  const [log, setLog] = useState<{ key: string; events: readonly RunEvent[]; read: number }>({
    key: '',
    events: [],
    read: 0,
  });
  const key = `${run} ${task ?? ''}`;
  const known = log.key === key ? log : { key, events: [], read: 0 };
  const { read } = known;
  useEffect(() => {
    if (read >= seq) return;
    let isOver = false;
    api.events(run, read, task).then(
      (page) => {
        if (isOver) return;
        const reached = page.isLast
          ? Math.max(seq, page.events.at(-1)?.seq ?? 0)
          : (page.events.at(-1)?.seq ?? seq);
        setLog((old) => ({
          key,
          events: [...(old.key === key ? old.events : []), ...(page.events as RunEvent[])],
          read: reached,
        }));
      },
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [run, task, key, read, seq]);
  return known.events;
}

/** Why each thing happened, in the order of the decisions. */
export function Trace({ run, seq }: { run: string; seq: number }) {
  const events = useEvents(run, seq);
  const lines = events.flatMap((event) => lineOf(event, 'decisions') ?? []);
  return <LogView lines={lines} label="Decisions of the run" />;
}
