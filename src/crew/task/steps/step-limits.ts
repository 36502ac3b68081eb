import type { AgentEvent, AgentRequest } from '#agents/driver.ts';
import { pricedUsage } from '#agents/ledger/prices.ts';
import type { AgentLimits } from '#schema/agent.ts';

/** Limits apply to the attempt: a step gets what earlier steps left. */
export function limitsOfSteps({ limits, model, prices }: Pick<AgentRequest, 'limits' | 'model' | 'prices'>) {
  const until = performance.now() + limits.wallMs;
  let [turns, tokens, usd, estimatedUsd] = [0, 0, 0, 0];
  const rest = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used));
  const now = (): AgentLimits => ({
    ...limits,
    wallMs: Math.max(1, until - performance.now()),
    turns: rest(limits.turns, turns),
    tokens: rest(limits.tokens, tokens),
    usd: rest(limits.usd, usd + estimatedUsd),
  });
  return {
    now,
    see(event: AgentEvent): void {
      if (event.type === 'turn') turns += 1;
      if (event.type !== 'usage') return;
      tokens += event.usage.in + event.usage.out;
      const priced = pricedUsage(event.usage, model, prices);
      // The cost an agent reports replaces our estimates.
      if (priced.basis !== 'reported') estimatedUsd += priced.usd;
      else if (priced.usd > 0) {
        usd += priced.usd;
        estimatedUsd = 0;
      }
    },
    /** The exhausted limit in words; null if the next step can start. */
    spent(): string | null {
      const left = now();
      const none = (['turns', 'tokens', 'usd'] as const).find(
        (name) => left[name] === 0 && limits[name] !== 0,
      );
      return none === undefined ? null : `the steps before took all of its ${limits[none]} ${none}`;
    },
  };
}
