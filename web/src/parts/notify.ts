import { useEffect, useRef } from 'react';
import type { InboxItem } from '../api.ts';

/** Tells the person when a question is new, if the browser may. */
export function useNotifications(inbox: readonly InboxItem[] | null): void {
  const told = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (inbox === null) return;
    const open = inbox.flatMap(({ run, question }) =>
      question ? [{ key: `${run} ${question.id}`, text: question.text }] : [],
    );
    // What was open when the page was opened is on the page already.
    if (told.current === null) told.current = new Set(open.map(({ key }) => key));
    for (const { key, text } of open) {
      if (told.current.has(key)) continue;
      told.current.add(key);
      if (typeof Notification !== 'undefined' && Notification.permission === 'granted' && document.hidden)
        new Notification('Joinery needs a decision', { body: text, tag: key });
    }
  }, [inbox]);
}

export async function allowNotifications(): Promise<string> {
  if (typeof Notification === 'undefined') throw new Error('this browser has no notifications');
  return Notification.requestPermission();
}
