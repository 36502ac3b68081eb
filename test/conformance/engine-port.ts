import { describe, expect, test } from 'vitest';
import type { EnginePort, FlowContext } from '#schema/durable-port.ts';
import type { EventDraft } from '#schema/event.ts';

interface PortOptions {
  readonly now?: () => number;
  readonly leaseMs?: number;
}

/** An engine under test: `connect` opens it again on the same storage, as another process would. */
export interface PortHarness {
  connect(options?: PortOptions): EnginePort;
}

const note = (what: string): EventDraft => ({ type: 'run.degraded', data: { what } });
const drive = <T>(engine: EnginePort, flow: (context: FlowContext) => Promise<T>, holder = 'one') =>
  engine.drive('r', { holder }, flow);

function notes(engine: EnginePort): string[] {
  return [...engine.read('r')].flatMap((event) => (event.type === 'run.degraded' ? [event.data.what] : []));
}

/** A clock that the test moves. */
function handClock(at = 1_000_000) {
  const clock = { at, now: () => clock.at };
  return clock;
}

const never = () => new Promise<never>(() => {});

/** The guarantees of `schema/durable-port.ts`, for every implementation. */
export function describeEnginePort(name: string, open: () => PortHarness): void {
  const started = (options?: PortOptions) => {
    const harness = open();
    const engine = harness.connect(options);
    engine.start('r', [note('first')]);
    return { harness, engine };
  };

  describe(`${name}: steps`, () => {
    test('a run is started once, with its first events', () => {
      const { engine } = started();
      expect(engine.start('r', [note('again')])).toBe(false);
      expect(notes(engine)).toEqual(['first']);
    });

    test('a recorded step is not run again, by any holder', async () => {
      const { harness, engine } = started();
      let runs = 0;
      const flow = (context: FlowContext) => context.step('s', () => ({ times: ++runs }));
      await drive(engine, flow);
      expect(await drive(harness.connect(), flow)).toEqual({ times: 1 });
    });

    test('two callers of one step share one execution', async () => {
      const { engine } = started();
      let runs = 0;
      const results = await drive(engine, (context) =>
        Promise.all([context.step('s', async () => ++runs), context.step('s', async () => ++runs)]),
      );
      expect(results).toEqual([1, 1]);
    });

    test('events and result of a step become durable together or not at all', async () => {
      const { harness, engine } = started();
      await expect(
        drive(engine, (context) =>
          context.step('s', (call) => {
            call.emit(note('half'));
            throw new Error('broken');
          }),
        ),
      ).rejects.toThrow('broken');
      expect(notes(engine)).toEqual(['first']);
      await drive(harness.connect(), (context) =>
        context.step('s', (call) => {
          call.emit(note('whole'));
          return null;
        }),
      );
      expect(notes(engine)).toEqual(['first', 'whole']);
    });

    test('an interrupted step runs again under the same key', async () => {
      const clock = handClock();
      const { harness, engine } = started({ now: clock.now, leaseMs: 10 });
      const keys: string[] = [];
      void drive(engine, (context) =>
        context.step('s', (call) => {
          keys.push(call.idempotencyKey);
          return never();
        }),
      );
      clock.at += 11;
      await drive(harness.connect({ now: clock.now }), (context) =>
        context.step('s', (call) => keys.push(call.idempotencyKey)),
      );
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
    });

    test('an intent is durable before the effect, and recorded once', async () => {
      const clock = handClock();
      const { harness, engine } = started({ now: clock.now, leaseMs: 10 });
      const seen: unknown[] = [];
      void drive(engine, (context) =>
        context.step(
          's',
          (call) => {
            seen.push(call.resumed, notes(engine));
            return never();
          },
          [note('about to')],
        ),
      );
      clock.at += 11;
      await drive(harness.connect({ now: clock.now }), (context) =>
        context.step('s', (call) => seen.push(call.resumed), [note('about to')]),
      );
      expect(seen).toEqual([false, ['first', 'about to'], true]);
      expect(notes(engine)).toEqual(['first', 'about to']);
    });

    test('a spawned part of the flow leaves its result like a step', async () => {
      const { harness, engine } = started();
      let runs = 0;
      const flow = (context: FlowContext) =>
        Promise.all(
          ['a', 'b'].map((key) => context.spawn(key, (inner) => inner.step(`${key}/s`, () => ++runs))),
        );
      await drive(engine, flow);
      expect(await drive(harness.connect(), flow)).toEqual([1, 2]);
    });

    test('a refused event changes nothing', async () => {
      const { engine } = started();
      const guard = () => {
        throw new Error('refused');
      };
      await expect(engine.drive('r', { holder: 'one', guard }, async () => null)).rejects.toThrow('refused');
      expect(notes(engine)).toEqual(['first']);
    });

    test('a stored text is found under its hash', async () => {
      const { harness, engine } = started();
      const text = 'any text \u0000 \ud83d\ude00 $(x) `y`';
      const hash = await drive(engine, async (context) => {
        const kept = context.keep(text);
        context.append([note('with it')]);
        return kept;
      });
      expect(harness.connect().artifact('r', hash)).toBe(text);
    });
  });

  describe(`${name}: the log`, () => {
    test('numbers have no gaps and times never go back, whatever the clock does', async () => {
      const clock = handClock();
      const { engine } = started({ now: clock.now });
      await drive(engine, async (context) => {
        for (const jump of [5, -500_000, 0, 7, -3]) {
          clock.at += jump;
          context.append([note(String(jump))]);
        }
      });
      const events = [...engine.read('r')];
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      const times = events.map(({ at }) => at);
      expect(times).toEqual(times.toSorted());
    });

    test('a hundred events in one millisecond keep their order', async () => {
      const clock = handClock();
      const { engine } = started({ now: clock.now });
      const wanted = Array.from({ length: 100 }, (_, index) => String(index));
      await drive(engine, async (context) => {
        for (const what of wanted) context.append([note(what)]);
      });
      expect(notes(engine).slice(1)).toEqual(wanted);
      expect(new Set([...engine.read('r')].map(({ at }) => at)).size).toBe(1);
    });

    test('reading can continue after a number', async () => {
      const { engine } = started();
      await drive(engine, async (context) => context.append([note('x'), note('y')]));
      const all = [...engine.read('r')];
      expect([...engine.read('r', 2)]).toEqual(all.slice(2));
    });
  });

  describe(`${name}: holders`, () => {
    test('a run has one holder at a time', async () => {
      const { harness, engine } = started();
      const other = harness.connect();
      await drive(engine, async () => {
        expect(other.holder('r')).toMatchObject({ holder: 'one', isAlive: true });
        await expect(drive(other, async () => null, 'two')).rejects.toMatchObject({ code: 'run-held' });
      });
      expect(other.holder('r')).toBeNull();
      await drive(other, async () => null, 'two');
    });

    test('tokens grow with every holder', async () => {
      const { harness, engine } = started();
      const first = await drive(engine, async (context) => context.token);
      const second = await drive(harness.connect(), async (context) => context.token);
      expect(second).toBeGreaterThan(first);
    });

    test('a replaced holder can neither append nor finish a step', async () => {
      const clock = handClock();
      const { harness, engine } = started({ now: clock.now, leaseMs: 10 });
      const goOn = Promise.withResolvers<void>();
      const outcomes: unknown[] = [];
      const late = drive(engine, async (context) => {
        const step = context.step('s', async (call) => {
          await goOn.promise;
          call.emit(note('late'));
          return null;
        });
        outcomes.push(await step.catch((error) => error.code));
        outcomes.push(context.lost.aborted);
        expect(() => context.append([note('later')])).toThrow();
      });
      clock.at += 11;
      await drive(
        harness.connect({ now: clock.now }),
        async (context) => context.append([note('new')]),
        'two',
      );
      goOn.resolve();
      await late.catch(() => {});
      expect(outcomes).toEqual(['fenced', true]);
      expect(notes(engine)).toEqual(['first', 'new']);
    });

    test('a replaced holder does not continue from the results of its successor', async () => {
      const clock = handClock();
      const { harness, engine } = started({ now: clock.now, leaseMs: 10 });
      const goOn = Promise.withResolvers<void>();
      const late = drive(engine, async (context) => {
        await goOn.promise;
        return context.step('s', () => 'mine');
      });
      clock.at += 11;
      await drive(harness.connect({ now: clock.now }), (context) => context.step('s', () => 'theirs'), 'two');
      goOn.resolve();
      await expect(late).rejects.toMatchObject({ code: 'fenced' });
    });

    test('a heartbeat keeps the lease, and reports when it is lost', async () => {
      const clock = handClock();
      const { harness, engine } = started({ now: clock.now, leaseMs: 10 });
      const other = harness.connect({ now: clock.now });
      await drive(engine, async (context) => {
        clock.at += 9;
        context.heartbeat();
        clock.at += 9;
        await expect(drive(other, async () => null, 'two')).rejects.toMatchObject({ code: 'run-held' });
        clock.at += 11;
        await drive(other, async () => null, 'two');
        expect(() => context.heartbeat()).toThrow();
      }).catch(() => {});
    });

    test('a clock that was set back does not lock a run for that long', async () => {
      const clock = handClock();
      const { harness, engine } = started({ now: clock.now, leaseMs: 10 });
      void drive(engine, never);
      clock.at -= 500_000;
      const other = harness.connect({ now: clock.now });
      await expect(drive(other, async () => null, 'two')).rejects.toMatchObject({ code: 'run-held' });
      clock.at += 11;
      await drive(other, async () => null, 'two');
    });
  });

  describe(`${name}: signals and sleep`, () => {
    test('a signal reaches the run from any process, before or while it is driven, until it is answered', async () => {
      const { harness, engine } = started();
      engine.signal('r', { id: 'x', name: 'hello', payload: { n: 1 } });
      engine.signal('r', { id: 'x', name: 'hello', payload: { n: 2 } });
      const answer = (context: FlowContext) =>
        Promise.all(
          context.signals().map((signal) => context.step(`signal/${signal.id}`, () => signal.payload)),
        );
      expect(await drive(engine, async (context) => context.signals())).toEqual([
        { id: 'x', name: 'hello', payload: { n: 1 } },
      ]);
      expect(await drive(harness.connect(), answer)).toEqual([{ n: 1 }]);
      expect(await drive(harness.connect(), answer)).toEqual([]);
      await drive(engine, async (context) => {
        harness.connect().signal('r', { id: 'y', name: 'hello', payload: null });
        expect(context.signals()).toHaveLength(1);
      });
    });

    test('an interrupted sleep sleeps the rest, and never longer than requested', async () => {
      const clock = handClock();
      const { harness, engine } = started({ now: clock.now });
      const stop = new AbortController();
      const cut = drive(engine, (context) => context.sleep('nap', 60_000, stop.signal));
      stop.abort();
      await cut.catch(() => {});
      clock.at += 59_990;
      const before = performance.now();
      await drive(harness.connect({ now: clock.now }), (context) => context.sleep('nap', 60_000));
      expect(performance.now() - before).toBeLessThan(5_000);
    });
  });
}
