import { z } from 'zod';
import { ModelTier } from './agent.ts';
import { AttemptOutcome, RunStatus, StepStatus } from './run.ts';
import { Budget, Spending } from './spending.ts';

const Cost = Spending.extend({
  ms: z.int().nonnegative().describe('From getting the text to the end, or to the last sign of life.'),
});

/** The cost of a run, computed from its log. */
export const CostReport = z.object({
  schema: z.literal('joinery/cost@1'),
  run: z.string(),
  status: RunStatus,
  budget: Budget.extend({
    share: z.number().nullable().describe('Part that is spent; null without a budget.'),
  }),
  total: Cost,
  models: z.array(Spending.extend({ model: z.string().nullable().describe('null: the agent did not say.') })),
  asked: z
    .array(
      z.object({
        phase: z.enum(['plan', 'challenge', 'verify', 'review', 'integrate']),
        role: z.string(),
        reviewer: z.string().nullable(),
        model: z.string().nullable(),
        times: z.int().positive(),
        in: z.number().nonnegative(),
        out: z.number().nonnegative(),
        usd: z.number().nonnegative(),
        ms: z.int().nonnegative(),
      }),
    )
    .default([])
    .describe('Agents consulted in addition to those of tasks: by phase, role, reviewer and model.'),
  tasks: z.array(
    Cost.extend({
      id: z.string(),
      status: StepStatus,
      attempts: z.array(
        Cost.extend({
          n: z.int().positive(),
          driver: z.string(),
          tier: ModelTier,
          model: z.string().nullable(),
          outcome: AttemptOutcome.nullable().describe(
            'null: it is running, or was interrupted and not resumed.',
          ),
        }),
      ),
    }),
  ),
  prices: z.iso.date().describe('Date of our price table; costs that agents report do not depend on it.'),
});
export type CostReport = z.infer<typeof CostReport>;
