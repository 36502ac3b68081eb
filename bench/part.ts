/** How a run was asked for. */
export interface BenchOptions {
  /** The stated sample sizes instead of small ones. */
  readonly full: boolean;
  readonly seed: number;
}

/** One table or several, ready to print. */
export interface Part {
  readonly name: string;
  readonly summary: string;
  run(options: BenchOptions): Promise<string>;
}
