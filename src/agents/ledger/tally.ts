import { addUsage, type Usage } from '#schema/run.ts';
import type { PricedUsage } from './prices.ts';

/** Spending of one session: a cost reported by the agent replaces our estimates up to that point. */
export class Tally {
  readonly usage: Usage = { in: 0, out: 0, usd: 0 };
  #estimatedUsd = 0;

  add(priced: PricedUsage): void {
    if (priced.basis === 'table') this.#estimatedUsd += priced.usd;
    else if (priced.usd > 0) {
      this.usage.usd = Math.max(0, this.usage.usd - this.#estimatedUsd);
      this.#estimatedUsd = 0;
    }
    addUsage(this.usage, priced);
  }
}
