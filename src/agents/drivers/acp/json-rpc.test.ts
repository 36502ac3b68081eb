import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { JsonRpc } from './json-rpc.ts';

test('an agent that asks endlessly and never reads an answer is abandoned', async () => {
  const input = new PassThrough();
  const deaf = new Writable({ write: () => {} });
  let answered = 0;
  const rpc = new JsonRpc(input, deaf, {
    request: () => {
      answered += 1;
      return null;
    },
    notification: () => {},
    noise: () => {},
  });
  const asked = rpc.request('session/prompt', {}).catch((error: Error) => error.message);
  const question = `${JSON.stringify({ id: 'x'.repeat(1_000_000), method: 'm' })}\n`;
  for (let n = 0; n < 100; n++) {
    input.write(question);
    await new Promise(setImmediate);
  }
  expect(await asked).toBe('it does not read what it is answered');
  expect(answered).toBeLessThan(50);
  expect(deaf.writableLength).toBeLessThan(50_000_000);
});
