import { expect, test } from 'vitest';
import { startThread, ThreadTimeout } from './thread.ts';

const program = new URL('../../test/support/thread-program.ts', import.meta.url);
const ask = (order: string, timeLimitMs?: number) =>
  startThread<number>(program, order, timeLimitMs === undefined ? {} : { timeLimitMs });

test('a process that asks again reuses the thread, even after an error', async () => {
  const first = await ask('answer').answer;
  const second = await ask('answer').answer;
  expect(second).not.toBe(first);
  expect(await ask('answer').answer).toBe(second);
  await expect(ask('fail').answer).rejects.toMatchObject({ message: 'no', code: 'E_NO' });
  expect(await ask('answer').answer).toBe(second);
});

test('simultaneous requests share two threads', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => ask('answer').answer));
  expect(new Set(all).size).toBe(2);
});

test('a request that is cancelled while it waits for a thread never starts', async () => {
  const busy = [ask('hang'), ask('hang')];
  const waiting = ask('answer');
  await waiting.end();
  await Promise.all(busy.map((each) => each.end()));
  await expect(waiting.answer).rejects.toThrow('before it started');
});

test('a thread that does not answer is ended, and another one answers the next request', async () => {
  await expect(ask('hang', 1000).answer).rejects.toBeInstanceOf(ThreadTimeout);
  const busy = ask('hang');
  await busy.end();
  await expect(busy.answer).rejects.toThrow('ended');
  expect(await ask('answer').answer).toBeGreaterThan(0);
});
