import { copyFileSync, existsSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EventDraft } from '#schema/event.ts';
import { describeEnginePort } from '#test/conformance/engine-port.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { LocalEngine, type LocalEngineOptions } from './local-engine.ts';
import { claimPorts, releasePorts } from './ports.ts';
import { openStore, type StoreOptions } from './store.ts';

function connect(path: string, options: LocalEngineOptions & StoreOptions = {}): LocalEngine {
  const store = openStore(path, options);
  onTestFinished(() => {
    if (store.db.isOpen) store.close();
  });
  return new LocalEngine(store, options);
}

describeEnginePort('local engine', () => {
  const path = join(temporaryFolder(), 'runs.db');
  return { connect: (options) => connect(path, options) };
});

const note = (what: string): EventDraft => ({ type: 'run.degraded', data: { what } });

async function fill(engine: LocalEngine, count: number): Promise<void> {
  engine.start('r', [note('first')]);
  await engine.drive('r', { holder: 'one' }, async (context) => {
    for (let n = 0; n < count; n++) {
      await context.step(`s${n}`, (call) => {
        call.emit(note(`${n} ${'x'.repeat(500)}`));
        return n;
      });
    }
  });
}

describe('the log of the local engine', () => {
  test('is written with full synchronisation', () => {
    const { store } = connect(join(temporaryFolder(), 'runs.db'));
    expect(store.db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  });

  test('can be neither changed nor shortened', async () => {
    const engine = connect(join(temporaryFolder(), 'runs.db'));
    await fill(engine, 1);
    expect(() => engine.store.db.exec("UPDATE journal SET data = '{}'")).toThrow('append-only');
    expect(() => engine.store.db.exec('DELETE FROM journal')).toThrow('goes only with the run');
  });

  test('with its tail torn off anywhere is cut back to whole commits and continues', async () => {
    const path = join(temporaryFolder(), 'runs.db');
    const engine = connect(path);
    await fill(engine, 60);
    const whole = [...engine.read('r')];
    engine.store.close();
    const size = statSync(path).size;
    for (const lost of [1, 100, 4096, 5000, Math.floor(size / 4)]) {
      const torn = join(temporaryFolder(), 'runs.db');
      copyFileSync(path, torn);
      truncateSync(torn, size - lost);
      const again = connect(torn);
      const events = [...again.read('r')];
      expect(events, `${lost} bytes lost`).toEqual(whole.slice(0, events.length));
      // The loss is about proportional to the lost bytes, never nearly everything.
      expect(events.length, `${lost} of ${size} bytes lost`).toBeGreaterThan(
        whole.length * (1 - (2 * lost + 20_000) / size),
      );
      const results = again.store.db.prepare("SELECT key FROM journal WHERE kind = 'result'").all();
      expect(results).toHaveLength(Math.max(0, events.length - 2));
      expect(readdirSync(dirname(torn)).some((name) => name.includes('damaged'))).toBe(
        again.store.repaired !== null,
      );
    }
  });

  test('with its write-ahead file torn off loses at most what was never reported as written', async () => {
    const path = join(temporaryFolder(), 'runs.db');
    const engine = connect(path);
    await fill(engine, 20);
    const whole = [...engine.read('r')];
    const wal = `${path}-wal`;
    expect(existsSync(wal)).toBe(true);
    const torn = join(temporaryFolder(), 'runs.db');
    copyFileSync(path, torn);
    copyFileSync(wal, `${torn}-wal`);
    truncateSync(`${torn}-wal`, statSync(wal).size - 1000);
    const events = [...connect(torn).read('r')];
    expect(events).toEqual(whole.slice(0, events.length));
    expect(events.length).toBeGreaterThanOrEqual(whole.length - 1);
  });

  test('that cannot grow reports it, loses nothing and continues when there is room', async () => {
    const path = join(temporaryFolder(), 'runs.db');
    const small = connect(path, { maxPages: 40 });
    await expect(fill(small, 500)).rejects.toMatchObject({ code: 'disk-full', exitCode: 5 });
    const written = [...small.read('r')].length;
    small.store.close();
    const roomy = connect(path);
    expect([...roomy.read('r')]).toHaveLength(written);
    await roomy.drive('r', { holder: 'two' }, async (context) => context.append([note('there is room')]));
    expect([...roomy.read('r')]).toHaveLength(written + 2);
  });
});

test('port ranges of tasks never overlap and are reused', () => {
  const { store } = connect(join(temporaryFolder(), 'runs.db'));
  const ranges = ['a', 'b', 'c'].map((task) => claimPorts(store, 'r', task, 1199));
  expect(claimPorts(store, 'r', 'a', 1199)).toEqual(ranges[0]);
  const ports = ranges.flatMap(([first, count]) =>
    Array.from({ length: count }, (_, index) => first + index),
  );
  expect(new Set(ports).size).toBe(30);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  releasePorts(store, 'r', 'a');
  expect(claimPorts(store, 'other', 'a', 1199)).toEqual(ranges[0]);
});
