import type { AgentEvent } from '#agents/driver.ts';
import { addUsage, type Usage, usageBeyond } from '#schema/run.ts';

/** Turns running totals and single answers into spending since the last report, never counted twice. */
export class UsageMeter {
  readonly #reported: Usage = { in: 0, out: 0, usd: 0 };

  add(usage: Usage): AgentEvent[] {
    const delta = positive(usage);
    if (Object.values(delta).every((count) => count === 0)) return [];
    addUsage(this.#reported, delta);
    return [{ type: 'usage', usage: delta }];
  }

  /** Reports the part of a total that was not reported yet; a smaller total is not a refund. */
  settle(total: Usage): AgentEvent[] {
    const rest = usageBeyond(total, this.#reported);
    return rest ? this.add(rest) : [];
  }
}

/** Models and programs may report anything; the ledger accepts no negative, infinite or missing numbers. */
function positive(usage: Usage): Usage {
  const clean = (value: number | undefined) =>
    value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
  const delta: Usage = { in: clean(usage.in), out: clean(usage.out), usd: clean(usage.usd) };
  for (const part of ['cached', 'written', 'reasoning'] as const) {
    if (clean(usage[part]) > 0) delta[part] = clean(usage[part]);
  }
  return delta;
}
