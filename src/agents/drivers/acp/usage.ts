import { z } from 'zod';
import type { Usage } from '#schema/run.ts';
import { AcpUsage } from './protocol.ts';

/**
 * Tokens as an agent counts them. Some include cached or thought tokens in the others, some count them separately; the
 * total shows which. If it fits neither way, the figures are used as they are.
 */
export function readUsage(usage: AcpUsage): Usage {
  const { inputTokens, outputTokens } = usage;
  const cached = usage.cachedReadTokens ?? 0;
  const written = usage.cachedWriteTokens ?? 0;
  const thought = usage.thoughtTokens ?? 0;
  const beside = (usage.totalTokens ?? 0) - inputTokens - outputTokens;
  const isCacheBeside = beside === cached + written || beside === cached + written + thought;
  const isThoughtBeside = beside === thought || beside === cached + written + thought;
  return {
    in: inputTokens + (isCacheBeside && beside > 0 ? cached + written : 0),
    out: outputTokens + (isThoughtBeside && beside > 0 ? thought : 0),
    usd: 0,
    ...(cached > 0 ? { cached } : {}),
    ...(written > 0 ? { written } : {}),
    ...(thought > 0 ? { reasoning: thought } : {}),
  };
}

/** A negative number is not a refund. */
const count = z.number().nonnegative().catch(0);
const TokenCount = z.object({ input_tokens: count, output_tokens: count });

const Quota = z.object({
  quota: z.object({
    token_count: TokenCount,
    model_usage: z.array(z.object({ model: z.string(), token_count: TokenCount })).optional(),
  }),
});

/** Gemini puts the tokens of a prompt beside its answer, by model. */
export function readQuota(meta: unknown): Usage[] {
  const { data } = Quota.safeParse(meta);
  if (!data) return [];
  const { token_count: all, model_usage: models = [] } = data.quota;
  const parts = models.map(({ model, token_count: part }) => ({
    in: part.input_tokens,
    out: part.output_tokens,
    usd: 0,
    model,
  }));
  return parts.length > 0 ? parts : [{ in: all.input_tokens, out: all.output_tokens, usd: 0 }];
}

/** Qwen puts the tokens of each answer of the model beside a piece of its text. */
export function readChunkMeta(meta: unknown): Usage | null {
  const { data } = z.object({ usage: AcpUsage }).safeParse(meta);
  return data ? readUsage(data.usage) : null;
}

/** Divides a total cost by tokens. Without a cost the usages stay unchanged. */
export function withCost(usages: readonly Usage[], usd: number): readonly Usage[] {
  const tokens = usages.reduce((sum, each) => sum + each.in + each.out, 0);
  if (usd === 0 || tokens === 0) return usages;
  return usages.map((each) => ({ ...each, usd: each.usd + (usd * (each.in + each.out)) / tokens }));
}

/** Turns a growing figure into its increments. A figure that shrinks starts again from zero. */
export class Meter {
  #seen: number;

  constructor(seen = 0) {
    this.#seen = seen;
  }

  add(total: number): number {
    const more = total >= this.#seen ? total - this.#seen : total;
    this.#seen = total;
    return more;
  }
}
