import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '#test/support/joinery.ts';
import { AgentSlots } from './slots.ts';

const never = new AbortController().signal;
const modulePath = JSON.stringify(new URL('slots.ts', import.meta.url).href);

/** Another process that holds a slot until it is killed. */
async function holder(path: string, most: number) {
  const script = `const { AgentSlots } = await import(${modulePath});
    await new AgentSlots(${JSON.stringify(path)}, ${most}).take('x', new AbortController().signal, () => {});
    console.log('holds'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('agent slots', () => {
  test('never exceed the limit, over all processes that share the folder', async () => {
    const path = join(temporaryFolder(), 'agents.db');
    const [one, other] = [new AgentSlots(path, 2), new AgentSlots(path, 2)];
    const leave = await one.take('a', never, () => {});
    await other.take('b', never, () => {});
    let hasWaited = false;
    const third = one.take('c', never, () => {
      hasWaited = true;
      leave();
    });
    await third;
    expect(hasWaited).toBe(true);
  });

  test('are not taken by a wait that is aborted', async () => {
    const slots = new AgentSlots(join(temporaryFolder(), 'agents.db'), 1);
    await slots.take('a', never, () => {});
    const stop = new AbortController();
    const waiting = slots.take('b', stop.signal, () => stop.abort());
    await expect(waiting).rejects.toThrow(/abort/i);
  });

  test('of a killed process are free at once', async () => {
    const path = join(temporaryFolder(), 'agents.db');
    const child = await holder(path, 1);
    const slots = new AgentSlots(path, 1);
    let waits = 0;
    const taken = slots.take('a', never, () => {
      waits += 1;
      child.kill('SIGKILL');
    });
    await once(child, 'exit');
    await taken;
    expect(waits).toBe(1);
  });

  test('survive a damaged file', async () => {
    const path = join(temporaryFolder(), 'agents.db');
    writeFileSync(path, 'this is no database at all, and it is longer than a header\n'.repeat(40));
    const leave = await new AgentSlots(path, 1).take('a', never, () => {});
    leave();
  });
});
