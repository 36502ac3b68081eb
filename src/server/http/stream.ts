import { setTimeout as wait } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Window } from '#app/window/window.ts';

const pollMs = 150;
const batch = 500;
const quietMs = 15_000;

export interface StreamLimits {
  /** Ends all streams. */
  readonly signal: AbortSignal;
  /** A reader that takes longer for one batch is dropped; it reconnects with the last id it has seen. */
  readonly patienceMs: number;
}

/** Streams everything written to the journal from now on, or after the last id the reader has seen. */
export function streamEvents(c: Context, window: Window, { signal, patienceMs }: StreamLimits): Response {
  const seen = Number(c.req.header('last-event-id') ?? c.req.query('after'));
  return streamSSE(c, async (stream) => {
    const last = window.place();
    // The journal may be another one by now, restored from a backup: a position behind its end would never be reached.
    let place = Number.isSafeInteger(seen) && seen >= 0 ? Math.min(seen, last) : last;
    const beside = () => `${window.checkedAt()} ${window.visitedAt()}`;
    let seenBeside = beside();
    let seenRemoved = window.removals();
    let spokeAt = Date.now();
    const drop = () => {
      stream.abort();
      // Otherwise the connection stays open, with everything the reader did not take.
      (c.env as HttpBindings).outgoing.destroy();
    };
    const say = async (text: string) => {
      spokeAt = Date.now();
      const patience = setTimeout(drop, patienceMs);
      await stream.write(text);
      clearTimeout(patience);
    };
    const tell = (name: string) => say(`event: ${name}\nid: ${place}\ndata: {}\n\n`);
    await tell('open');
    while (!stream.aborted && !stream.closed && !signal.aborted) {
      const news = window.since(place, batch);
      if (news.length > 0) {
        await say(news.map((each) => messageOf(each)).join(''));
        place = news.at(-1)?.place ?? place;
      }
      const now = beside();
      if (now !== seenBeside) {
        seenBeside = now;
        await tell('check');
      }
      const removed = window.removals();
      if (removed !== seenRemoved) {
        seenRemoved = removed;
        // Journals of older versions reuse the positions of removed rows.
        place = Math.min(place, window.place());
        await tell('runs');
      }
      if (Date.now() - spokeAt > quietMs) await tell('quiet');
      if (news.length < batch) await wait(pollMs);
    }
  });
}

function messageOf({ place, run, event }: ReturnType<Window['since']>[number]): string {
  return `id: ${place}\ndata: ${JSON.stringify({ run, event })}\n\n`;
}
