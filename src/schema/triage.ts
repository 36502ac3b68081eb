import { z } from 'zod';
import { breaks } from './verdict.ts';
import { severities } from './vocabulary.ts';

/** A reviewer's finding after code checked it against the diff and merged its duplicates. */
export const RawFinding = z.object({
  id: z.string().min(1),
  fingerprint: z
    .string()
    .min(1)
    .describe('The same for the same problem, regardless of its wording or line.'),
  severity: z.enum(severities),
  category: z.string().min(1).default('other'),
  file: z.string().min(1),
  line: z.int().positive().optional(),
  symbol: z.string().min(1).optional(),
  issue: z.string().min(1),
  suggestion: z.string().default(''),
  reviewers: z.array(z.string().min(1)).min(1),
  wordings: z
    .array(z.object({ reviewer: z.string(), issue: z.string() }))
    .default([])
    .describe('What each reviewer said, where several said it.'),
  unverified: z
    .string()
    .nullable()
    .default(null)
    .describe('Why the diff does not support it; such a finding never blocks. null: it is verified.'),
});
export type RawFinding = z.infer<typeof RawFinding>;

/** A reviewer says that the work must not land, and the diff does not contradict it. */
export function isObjection(finding: Pick<RawFinding, 'severity' | 'unverified'>): boolean {
  return breaks(finding) && finding.unverified === null;
}

const Proof = z.enum(['none', 'confirmed', 'not_reproduced', 'inconclusive']);

const Verification = z.object({
  result: Proof,
  test: z.string().nullable().describe('The file of the test.'),
  note: z.string(),
});
export type Verification = z.infer<typeof Verification>;

const Sorted = z.object({
  id: z.string().min(1),
  reason: z.string().default(''),
  severity: z.enum(severities).optional().describe('As reported: triage does not change it.'),
  verification: Verification.optional(),
});

export type Sorted = z.infer<typeof Sorted>;

const consensusVerdicts = ['agreed', 'split', 'unverified'] as const;

export const Consensus = z.object({
  verdict: z.enum(consensusVerdicts),
  reviewers: z.int().nonnegative().describe('Those who answered.'),
  reason: z.string(),
  disagreements: z.array(
    z.object({
      topic: z.string(),
      positions: z.record(z.string(), z.string()),
      settledBy: z.string().nullable(),
    }),
  ),
});

export type Consensus = z.infer<typeof Consensus>;

export const Triage = z.object({
  accepted: z.array(Sorted),
  deferred: z.array(Sorted),
  rejected: z.array(Sorted),
  approved: z.boolean(),
  consensus: Consensus.optional(),
});
export type Triage = z.infer<typeof Triage>;

/** The input of `joinery triage validate`. */
export const TriageFile = z.object({
  schema: z.literal('joinery/triage@1'),
  raw: z.array(RawFinding),
  files: z
    .array(z.string())
    .optional()
    .describe('Files of the diff. An accepted finding elsewhere is invalid.'),
  triage: Triage,
});
export type TriageFile = z.infer<typeof TriageFile>;

export const TriageReport = z.object({
  schema: z.literal('joinery/triage-check@1'),
  status: z.enum(['valid', 'invalid', 'needs-person']),
  corrected: z.boolean().describe('The approval or a repeated entry was put right.'),
  errors: z.array(z.string()),
  guards: z.array(z.string()).describe('Why a person has to look.'),
  triage: Triage.nullable().describe('As corrected; null when it cannot be read.'),
});
export type TriageReport = z.infer<typeof TriageReport>;
