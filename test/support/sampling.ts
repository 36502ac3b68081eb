import { appendFileSync } from 'node:fs';

/** One seed for the whole run, printed at its end; set JOINERY_SEED to draw other samples. */
const seed = Number(process.env.JOINERY_SEED ?? 1);
const sizesWanted = process.env.JOINERY_SAMPLES ?? 'normal';

/** How many cases a sampled guarantee draws in `npm test`, in the wider suites and in soak. */
export interface Sizes {
  readonly normal: number;
  /** Default: five times `normal`, and never more than `soak`. */
  readonly wide?: number;
  readonly soak: number;
}

/** The size for the current suite; the result fits fast-check's `assert`. */
export function sample(guarantee: string, sizes: Sizes): { seed: number; numRuns: number } {
  const { normal, soak, wide = Math.min(5 * normal, soak) } = sizes;
  const numRuns = sizesWanted === 'soak' ? soak : sizesWanted === 'wide' ? wide : normal;
  note(`${guarantee}: ${numRuns} cases`);
  return { seed, numRuns };
}

/** A line for the end of the run, beside the seed. */
export function note(line: string): void {
  const ledger = process.env.JOINERY_SAMPLES_FILE;
  if (ledger) appendFileSync(ledger, `${line}\n`);
}
