import { z } from 'zod';
import { IntegrationStep, Unproven } from './integration.ts';
import { Measures } from './measures.ts';
import { Clash, RunStatus } from './run.ts';
import { Spending } from './spending.ts';

/** The outcome of a run: what was requested, what landed, what did not and why, with the proof. */
export const FinalReport = z.object({
  schema: z.literal('joinery/report@1'),
  run: z.string(),
  status: RunStatus,
  exitCode: z.int(),
  reason: z.string().optional().describe('Why the run ended as it did.'),
  asked: z.object({
    spec: z.string().nullable(),
    base: z.string(),
    target: z.string().nullable(),
    tasks: z.array(z.object({ id: z.string(), title: z.string() })),
  }),
  phases: z.array(z.object({ phase: z.string(), status: z.enum(['pass', 'fail']), detail: z.string() })),
  landed: z
    .object({
      ref: z.string(),
      before: z.string(),
      after: z.string(),
      receipt: z.string(),
      tasks: z.array(z.string()),
    })
    .nullable()
    .describe('null: no branch was moved.'),
  notLanded: z.array(z.object({ task: z.string(), status: z.string(), reason: z.string() })),
  shown: z.array(Clash).default([]).describe('What is important and kept nothing out.'),
  findings: z
    .array(Clash.extend({ isFixed: z.boolean(), attempts: z.int() }))
    .describe('What was found where the work of tasks meets, before it could enter.'),
  proof: z.array(IntegrationStep).describe('What was checked on the exact commits, the last time.'),
  unproven: Unproven.optional().describe('Nothing was run on the result.'),
  reviews: z
    .array(
      z.object({
        task: z.string(),
        attempt: z.int().positive(),
        verdict: z.enum(['approve', 'revise', 'uncertain']),
        consensus: z.enum(['agreed', 'split', 'unverified']),
        reason: z.string(),
        accepted: z.int(),
        deferred: z.int(),
        rejected: z.int(),
        redTests: z.array(z.string()),
      }),
    )
    .default([])
    .describe('What reviewers said of each attempt they looked at.'),
  claims: z
    .object({ all: z.int(), proven: z.int() })
    .describe('Claims about the tasks, and which of them are proven.'),
  measures: Measures.optional().describe('Side by side, never blended.'),
  cost: Spending,
  containment: z.string().optional().describe('How its programs ran: contained (…), not contained (why).'),
  degraded: z.array(z.string()).describe('What could not be looked at, and steps that were skipped.'),
  questions: z.array(z.string()).describe('Open ones.'),
  next: z.array(z.string()),
});
export type FinalReport = z.infer<typeof FinalReport>;
