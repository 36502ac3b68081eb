import type { StreamNews } from '../live.ts';

/** What changes lists and counts: everything but what agents say and use while they work. */
export function isNews(message: StreamNews): boolean {
  if (message === 'check') return true;
  const { type } = message.event;
  return !type.startsWith('attempt.') || type === 'attempt.started' || type === 'attempt.ended';
}
