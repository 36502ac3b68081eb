import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Window } from '#app/window/open-window.ts';

const pollMs = 150;
const batch = 500;
const quietMs = 15_000;
/** A reader that takes longer for one batch is dropped; it comes back with the last id it has seen. */
const patienceMs = 5_000;

/** Everything that is written to the journal from now on, or from behind the last id the reader has seen. */
export function streamEvents(c: Context, window: Window, signal: AbortSignal): Response {
  const seen = Number(c.req.header('last-event-id') ?? c.req.query('after'));
  return streamSSE(c, async (stream) => {
    let place = Number.isSafeInteger(seen) && seen >= 0 ? seen : window.place();
    const beside = () => `${window.checkedAt()} ${window.visitedAt()}`;
    let seenBeside = beside();
    let spokeAt = Date.now();
    const say = async (message: Parameters<SSEStreamingApi['writeSSE']>[0]) => {
      spokeAt = Date.now();
      const isTaken = await Promise.race([
        stream.writeSSE(message).then(() => true),
        wait(patienceMs, false, { ref: false }),
      ]);
      if (!isTaken) stream.abort();
    };
    await say({ event: 'open', id: String(place), data: '{}' });
    while (!stream.aborted && !stream.closed && !signal.aborted) {
      const news = window.since(place, batch);
      for (const { place: id, run, event } of news) {
        if (stream.aborted) return;
        await say({ id: String(id), data: JSON.stringify({ run, event }) });
        place = id;
      }
      const now = beside();
      if (now !== seenBeside) {
        seenBeside = now;
        await say({ event: 'check', id: String(place), data: '{}' });
      }
      if (Date.now() - spokeAt > quietMs) await say({ event: 'quiet', id: String(place), data: '{}' });
      if (news.length < batch) await wait(pollMs);
    }
  });
}
