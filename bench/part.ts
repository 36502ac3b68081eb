/** How a run was asked for. */
export interface BenchOptions {
  /** The stated sample sizes instead of small ones. */
  readonly full: boolean;
  readonly seed: number;
  /** Ask the product's type checker as well, where a part has a second table for it. */
  readonly types: boolean;
  /** Only these rules, where a part goes by rules; empty: all. */
  readonly rules: readonly string[];
  /** Write what was measured to bench/accuracy/seeded.json, where a part does that. */
  readonly record: boolean;
  /** Say why drawn candidates were left out, where a part draws some. */
  readonly dropped: boolean;
}

/** One table or several, ready to print. */
export interface Part {
  readonly name: string;
  readonly summary: string;
  run(options: BenchOptions): Promise<string>;
}
