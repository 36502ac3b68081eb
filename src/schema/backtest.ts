import { z } from 'zod';
import { Finding } from './check-report.ts';

const Commit = z.string().regex(/^[0-9a-f]{40,64}$/);

const BacktestFinding = Finding.pick({
  id: true,
  rule: true,
  severity: true,
  confidence: true,
  effect: true,
  message: true,
  sites: true,
}).extend({
  repairedBy: Commit.nullable().describe(
    'The merge itself when it changed a line named here by hand, else the first of the next commits that changed one; null when none did.',
  ),
  after: z.int().nonnegative().nullable().describe('How many commits later that was; 0 is the merge itself.'),
});
export type BacktestFinding = z.infer<typeof BacktestFinding>;

export const BacktestMerge = z.object({
  commit: Commit,
  parents: z.array(Commit).describe('The base as it was, then what was merged into it.'),
  date: z.string().describe('Of the commit: 2026-11-16.'),
  subject: z.string(),
  outcome: z
    .enum(['alone', 'fits', 'findings', 'conflict', 'inconclusive', 'failed'])
    .describe(
      'alone: the base had not moved, so nothing could conflict. findings: a blocking or important finding in addition to the text. conflict: the text does not merge, and nothing else was found.',
    ),
  isBlocked: z.boolean().describe('A finding other than a text conflict blocks.'),
  isEdited: z.boolean().describe('The merge merges clean, and yet holds other content than git makes of it.'),
  seconds: z.number().nonnegative(),
  findings: z.array(BacktestFinding).describe('Without T01.'),
  reason: z.string().describe('Why it is inconclusive or failed; else empty.'),
});
export type BacktestMerge = z.infer<typeof BacktestMerge>;

/** What `check` would have said before each of the last merges. */
export const BacktestReport = z.object({
  schema: z.literal('joinery/backtest@1'),
  base: z.object({ ref: z.string(), commit: Commit }),
  within: z.int().positive().describe('How many of the next commits count as a repair.'),
  merges: z.array(BacktestMerge).describe('The newest first.'),
  totals: z.object({
    merges: z.int(),
    alone: z.int(),
    fits: z.int(),
    findings: z.int(),
    blocked: z.int(),
    repaired: z.int().describe('Merges with findings of which a line was changed soon after.'),
    conflict: z.int(),
    inconclusive: z.int(),
    edited: z.int(),
    seconds: z.number(),
  }),
});
export type BacktestReport = z.infer<typeof BacktestReport>;
