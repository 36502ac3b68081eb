import { z } from 'zod';
import { ModelTier } from './agent.ts';
import { Failure } from './failure.ts';
import { AttemptOutcome, StepStatus, Verdict } from './run.ts';

export const WhyReport = z.object({
  schema: z.literal('joinery/why@1'),
  run: z.string(),
  task: z.string(),
  title: z.string(),
  status: StepStatus,
  reason: z.string(),
  failure: Failure.nullable().describe('Of the last attempt that failed; null for accepted work.'),
  meaning: z.string().describe('The class in words.'),
  attempts: z.array(
    z.object({
      n: z.int().positive(),
      tier: ModelTier,
      outcome: AttemptOutcome.nullable().describe('null while it is running.'),
      verdict: Verdict.nullable(),
      failure: Failure.nullable(),
      reasons: z.array(z.string()).describe('What prevented approval.'),
      remarks: z
        .array(z.string())
        .describe('Its side effects: files outside its worktree, processes left behind …'),
      said: z.string().describe('Its last words, where it ended without work that was accepted.'),
      commit: z.string().nullable(),
      kept: z.string().nullable().describe('Ref of work that did not get onto the branch.'),
      log: z.string().describe('Its path from the root.'),
    }),
  ),
  blockedBy: z.array(z.string()).describe('Tasks it waits for.'),
  next: z.array(z.string()).describe('Commands, the most useful first.'),
});
export type WhyReport = z.infer<typeof WhyReport>;
