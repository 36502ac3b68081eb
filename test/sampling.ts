import { appendFileSync } from 'node:fs';

/** One seed for the whole run, printed by `npm test`; set JOINERY_SEED to draw the same samples again. */
const seed = Number(process.env.JOINERY_SEED ?? 1);

/** How many cases a sampled guarantee draws; the result fits fast-check's `assert`. */
export function sample(
  guarantee: string,
  sizes: { readonly normal: number; readonly soak: number },
): { seed: number; numRuns: number } {
  const numRuns = process.env.JOINERY_SOAK === '1' ? sizes.soak : sizes.normal;
  const ledger = process.env.JOINERY_SAMPLES_FILE;
  if (ledger) appendFileSync(ledger, `${guarantee}: ${numRuns} cases\n`);
  return { seed, numRuns };
}
