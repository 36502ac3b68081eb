import { useEffect, useRef, useState } from 'react';
import type { InboxItem } from '../api.ts';

/** Notifies the person about new questions and gates, if the browser allows it. */
export function useNotifications(inbox: readonly InboxItem[] | null): void {
  const told = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (inbox === null) return;
    const open = inbox.flatMap(({ kind, run, question, title, at }) => {
      if (question) return [{ key: `${run} ${question.id}`, text: question.text }];
      return kind === 'gate' ? [{ key: `${run} ${at}`, text: title }] : [];
    });
    // Items that were open at page load are already on the page.
    if (told.current === null) told.current = new Set(open.map(({ key }) => key));
    for (const { key, text } of open) {
      if (told.current.has(key)) continue;
      told.current.add(key);
      if (canNotify() === 'granted' && document.hidden)
        new Notification('Joinery needs a decision', { body: text, tag: key });
    }
  }, [inbox]);
}

/** 'default': the person was not asked yet. */
function canNotify(): NotificationPermission | 'missing' {
  return typeof Notification === 'undefined' ? 'missing' : Notification.permission;
}

export async function allowNotifications(): Promise<NotificationPermission> {
  if (canNotify() === 'missing') throw new Error('this browser has no notifications');
  return Notification.requestPermission();
}

/** Whether to offer notifications, and a function that enables them. */
export function useNotificationOffer(): { isOffered: boolean; allow(): void } {
  const [permission, setPermission] = useState(canNotify);
  return {
    isOffered: permission === 'default',
    allow: () => void allowNotifications().then(setPermission, () => {}),
  };
}
