/** A stage and the time it took: { name: 'comparing pairs', seconds: 0.31 }. */
export interface StageTime {
  readonly name: string;
  readonly seconds: number;
}

/** Measures how long each stage of some work took. A stage lasts until the next one begins. */
export class StageClock<Stage extends string> {
  readonly #now: () => number;
  readonly #milliseconds = new Map<Stage, number>();
  #current: { readonly stage: Stage; readonly since: number } | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A stage that begins again adds to its time. */
  begin(stage: Stage): void {
    this.#stop();
    if (!this.#milliseconds.has(stage)) this.#milliseconds.set(stage, 0);
    this.#current = { stage, since: this.#now() };
  }

  /** Ends the current stage; returns all in the order in which they began. */
  finish(): StageTime[] {
    this.#stop();
    return Array.from(this.#milliseconds, ([name, milliseconds]) => ({ name, seconds: milliseconds / 1000 }));
  }

  #stop(): void {
    if (!this.#current) return;
    const { stage, since } = this.#current;
    this.#milliseconds.set(stage, (this.#milliseconds.get(stage) ?? 0) + this.#now() - since);
    this.#current = null;
  }
}
