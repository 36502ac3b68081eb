import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { openTransfer } from './oxc-transfer.ts';

afterEach(() => vi.unstubAllGlobals());

test('idle memory is reused: gigabytes do not accumulate until programs cannot be started', async () => {
  const Original = SharedArrayBuffer;
  let allocated = 0;
  vi.stubGlobal(
    'SharedArrayBuffer',
    class extends Original {
      constructor(bytes: number) {
        super(bytes);
        allocated += 1;
      }
    },
  );
  const idleMs = 5;
  const transfer = await openTransfer(idleMs);
  for (let round = 0; round < 20; round++) {
    transfer(`export const a = ${round};`, undefined, { lang: 'ts', sourceType: 'module' });
    await wait(4 * idleMs);
  }
  // V8 may collect it occasionally.
  expect(allocated).toBeLessThan(5);
});
