/** The options of a run. */
export interface BenchOptions {
  /** The full sample sizes instead of small ones. */
  readonly full: boolean;
  readonly seed: number;
  /** Also run the product's type checker, if a part has a second table for it. */
  readonly types: boolean;
  /** Only these rules, if a part is divided by rules; empty: all. */
  readonly rules: readonly string[];
  /** Write the results to bench/accuracy/seeded.json, if a part does that. */
  readonly record: boolean;
  /** Print why drawn candidates were left out, if a part draws some. */
  readonly dropped: boolean;
  /** A folder of clones, `owner+name`, if a part reads public repositories; null: it fetches what it needs. */
  readonly repository: string | null;
  /** The half that is asked once per release, instead of the one to learn from. */
  readonly held: boolean;
  /** Pairs that were never repaired, instead of incidents. */
  readonly clean: boolean;
}

/** One table or several, ready to print. */
export interface Part {
  readonly name: string;
  readonly summary: string;
  /** Not part of a run that names no part: it needs clones or a network. */
  readonly onlyWhenNamed?: true;
  run(options: BenchOptions): Promise<string>;
}
