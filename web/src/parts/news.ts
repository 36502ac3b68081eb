import type { StreamNews } from '../live.ts';

/** What changes lists and counts: everything but what agents say and use while they work. */
export function isNews(message: StreamNews): boolean {
  if (typeof message === 'string') return true;
  const { type } = message.event;
  return !type.startsWith('attempt.') || type === 'attempt.started' || type === 'attempt.ended';
}

/** What changes a page about one run. */
export function isAbout(run: string): (message: StreamNews) => boolean {
  return (message) => message === 'again' || (message !== 'check' && message.run === run);
}
