import { z } from 'zod';
import { RunStatus } from './run.ts';

/** Four measures side by side. They are never blended into one number. */
export const Measures = z.object({
  coordination: z
    .object({
      score: z.int().min(0).max(100).nullable().describe('null: no output has an addressee.'),
      status: z.enum(['Healthy', 'Normal', 'Suspicious', 'Theater', 'n/a']),
      cited: z.int().nonnegative(),
      addressed: z.int().nonnegative(),
    })
    .describe('Outputs that their addressee cited, of all addressed outputs in the run.'),
  compatibility: z
    .object({ open: z.int().nonnegative(), byRule: z.record(z.string(), z.int().positive()) })
    .describe('Blocking problems between tasks that are open; 0: the work fits together.'),
  evidence: z
    .object({ proven: z.int().nonnegative(), claims: z.int().nonnegative() })
    .describe('Claims that our own records bear out, of all claims.'),
  requirements: z
    .object({ confirmed: z.int().nonnegative(), criteria: z.int().nonnegative() })
    .describe('Acceptance criteria that code or a test confirmed, of all criteria.'),
});
export type Measures = z.infer<typeof Measures>;

export const TrendReport = z.object({
  schema: z.literal('joinery/trend@1'),
  runs: z
    .array(z.object({ run: z.string(), createdAt: z.iso.datetime(), status: RunStatus, measures: Measures }))
    .describe('Oldest first.'),
});
export type TrendReport = z.infer<typeof TrendReport>;
