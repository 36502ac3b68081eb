/** The line for a checker that was not requested and would take too long. */
export function notAsked(
  check: string,
  seconds: number,
  scope: string,
): { readonly check: string; readonly reason: string } {
  const about = seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
  return {
    check,
    reason: `not asked, because it would take about ${about} (${scope}); joinery check --confirm types asks`,
  };
}

/** The budget of type checkers in a check, and what they have used so far. */
export class Effort {
  readonly #progress: (text: string) => void;
  /** Seconds left for checkers that were not requested. */
  #left: number;
  #expected = 0;
  #cpuMs = 0;
  #runs = 0;
  #subject = '';

  constructor(options: { readonly mostSeconds?: number; readonly progress?: (text: string) => void } = {}) {
    this.#left = options.mostSeconds ?? Number.POSITIVE_INFINITY;
    this.#progress = options.progress ?? (() => {});
  }

  /** Whether a checker that is expected to take this long may run. */
  allows(seconds: number): boolean {
    if (seconds > this.#left) return false;
    this.#left -= seconds;
    this.#expected += seconds;
    return true;
  }

  /** A checker starts to check a tree. */
  begin(subject: string): void {
    this.#runs++;
    this.#subject = subject;
    this.#tell();
  }

  spend(cpuMs: number): void {
    this.#cpuMs += cpuMs;
    this.#tell();
  }

  #tell(): void {
    const [used, expected] = [this.cpuSeconds, this.#expected].map((each) => Math.round(each));
    this.#progress(`type-checking ${this.#subject}: run ${this.#runs}, ${used} s of about ${expected} s`);
  }

  /** Runs of this check, without those known from an earlier one. */
  get runs(): number {
    return this.#runs;
  }

  get cpuSeconds(): number {
    return this.#cpuMs / 1000;
  }
}
