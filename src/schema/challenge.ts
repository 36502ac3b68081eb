import { z } from 'zod';
import { Consultation } from './planning.ts';

const shortText = z.string().trim().min(1).max(4000);

/** A challenger's answer. It has no verdict field: code computes the verdict. */
export const ChallengeAnswer = z.object({
  findings: z
    .array(
      z.object({
        vector: z.string().trim().min(1).max(60),
        severity: z.enum(['blocking', 'minor', 'info']),
        quote: z.string().max(2000).default('').describe('Words of the document that it is about.'),
        issue: shortText,
        suggestion: z.string().max(4000).default(''),
      }),
    )
    .max(200),
  right: shortText.describe('What the document gets right.'),
  counts: z
    .object({ blocking: z.int(), minor: z.int(), info: z.int() })
    .optional()
    .describe('How many it says it found; compared with what it lists.'),
});
export type ChallengeAnswer = z.infer<typeof ChallengeAnswer>;

const ChallengeFinding = ChallengeAnswer.shape.findings.element.extend({
  unverified: z
    .string()
    .nullable()
    .describe('Why the document does not support it; then it is minor at most. null: it is verified.'),
});
export type ChallengeFinding = z.infer<typeof ChallengeFinding>;

export const ChallengeReport = z.object({
  schema: z.literal('joinery/challenge@1'),
  kind: z.enum(['plan', 'spec']),
  document: z.string(),
  verdict: z.enum(['approve', 'revise', 'reject', 'uncertain']),
  reason: z.string(),
  findings: z.array(ChallengeFinding),
  right: z.string(),
  problems: z.array(z.string()).describe('What is odd about the answer itself.'),
  isolation: z
    .object({
      mode: z.string(),
      included: z.array(z.string()),
      isolated: z.array(z.string()),
      sha256: z.string(),
    })
    .describe('What the challenger was given, and what was kept from it.'),
  consultations: z.array(Consultation),
});
export type ChallengeReport = z.infer<typeof ChallengeReport>;
