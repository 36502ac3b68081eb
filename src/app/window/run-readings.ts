import type { RunRoom } from '#app/runs/run-room.ts';
import { runIds } from '#crew/state/catalogue.ts';
import { applyEvent } from '#crew/state/fold.ts';
import { type RunState, stateOf } from '#crew/state/state.ts';
import type { DataOf } from '#schema/event.ts';
import type { HomeView } from '#schema/window.ts';
import { promptKey } from './run-views.ts';

/** A run as far as its log was read; updated as the log grows. */
interface Reading {
  state: RunState;
  readonly prompts: Map<string, DataOf<'attempt.prompted'>>;
}

/** The states of all runs. Each log is read once; later reads add only what is new. */
export class RunReadings {
  readonly #engine: RunRoom['runs']['engine'];
  readonly #readings = new Map<string, Reading>();

  constructor(engine: RunRoom['runs']['engine']) {
    this.#engine = engine;
  }

  of(run: string): Reading {
    this.#engine.assertKnown(run);
    let reading = this.#readings.get(run);
    for (const event of this.#engine.read(run, reading?.state.seq ?? 0)) {
      if (!reading) {
        if (event.type !== 'run.created') throw new Error(`the log of run ${run} begins with ${event.type}`);
        reading = { state: stateOf(event.data, event.at), prompts: new Map() };
        this.#readings.set(run, reading);
      } else applyEvent(reading.state, event);
      if (event.type === 'attempt.prompted' && event.step !== undefined && event.attempt !== undefined)
        reading.prompts.set(promptKey(event.step, event.attempt), event.data);
    }
    if (!reading) throw new Error(`the log of run ${run} is empty`);
    return reading;
  }

  /** One damaged log does not hide the other runs. */
  all(): { damaged: HomeView['damaged']; states: (readonly [run: string, state: RunState])[] } {
    const damaged: HomeView['damaged'] = [];
    const states = runIds(this.#engine).flatMap((run) => {
      try {
        return [[run, this.of(run).state] as const];
      } catch (error) {
        damaged.push({ run, reason: (error as Error).message });
        return [];
      }
    });
    return { damaged, states };
  }

  /** The process that drives a run; null if none does. */
  holderOf(run: string): string | null {
    const holder = this.#engine.holder(run);
    return holder?.isAlive ? holder.holder : null;
  }
}
