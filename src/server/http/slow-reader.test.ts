import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { seedRuns } from '#test/support/seed-runs.ts';
import { type Shown, showRepository } from '#test/support/window.ts';

interface Reader {
  readonly response: IncomingMessage;
  /** Positions of the events that arrived complete. */
  readonly places: number[];
  readonly closed: Promise<void>;
}

/** Opens the stream on a connection whose reading can be paused. */
function read({ server }: Shown, after: number): Promise<Reader> {
  const headers = { authorization: `Bearer ${server.key}`, 'last-event-id': String(after) };
  const places: number[] = [];
  let rest = '';
  return new Promise((resolve, reject) => {
    const asked = request(new URL('/api/v1/stream', server.url), { headers, agent: false }, (response) => {
      const closed = new Promise<void>((end) => response.once('close', () => end()));
      // A dropped connection is an error on the client's side.
      response.on('error', () => {});
      response.setEncoding('utf8').on('data', (part: string) => {
        const messages = (rest + part).split('\n\n');
        rest = messages.pop() ?? '';
        for (const message of messages) {
          const [id = '', data = ''] = message.split('\n');
          if (data.startsWith('data: {"run"')) places.push(Number(id.slice('id: '.length)));
        }
      });
      resolve({ response, places, closed });
    });
    asked.once('error', reject).end();
  });
}

/** Reconnects with the last id when dropped, like a browser: on a busy machine any reader may be dropped. */
async function readAll(shown: Shown, after: number, count: number): Promise<number[]> {
  const places: number[] = [];
  while (places.length < count) {
    const reader = await read(shown, places.at(-1) ?? after);
    let isClosed = false;
    reader.closed.then(() => {
      isClosed = true;
    });
    const isOver = () => isClosed || places.length + reader.places.length >= count;
    await expect.poll(isOver, { timeout: 60_000 }).toBe(true);
    reader.response.destroy();
    places.push(...reader.places);
  }
  return places;
}

const name =
  'a reader that stops reading is dropped, the others go on, and it catches up with the last id it has';
// A retry would hide a connection that is dropped only sometimes.
test(name, { retry: 0, timeout: 120_000 }, async () => {
  const shown = await showRepository(undefined, { patienceMs: 1000 });
  const lines = 8000;
  await seedRuns(shown.repo.dir, shown.env, async ({ create, append }) => {
    const data = { text: 'x'.repeat(2000) };
    const said = { type: 'attempt.said' as const, step: 'talk', attempt: 1, data };
    await append(create('Talk a lot'), new Array(lines).fill(said));
  });
  const slow = await read(shown, 0);
  slow.response.pause();
  const all = await readAll(shown, 0, lines + 1);

  await expect.poll(() => shown.server.connections(), { timeout: 30_000 }).toBe(0);
  slow.response.resume();
  await slow.closed;
  expect(slow.places.length).toBeLessThan(all.length);
  const rest = await readAll(shown, slow.places.at(-1) ?? 0, all.length - slow.places.length);
  expect([...slow.places, ...rest]).toEqual(all);
});
