import type { StreamNews } from '../live.ts';

/** Events that change lists and counts: all except the text and tool use of working agents. */
export function isNews(message: StreamNews): boolean {
  if (typeof message === 'string') return true;
  const { type } = message.event;
  return !type.startsWith('attempt.') || type === 'attempt.started' || type === 'attempt.ended';
}

/** Events that change the page of one run. */
export function isAbout(run: string): (message: StreamNews) => boolean {
  return (message) => message === 'again' || (message !== 'check' && message.run === run);
}
