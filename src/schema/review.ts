import { z } from 'zod';
import { Consultation } from './planning.ts';
import { Consensus, RawFinding, Triage } from './triage.ts';
import { severities } from './vocabulary.ts';

/** What kind of work a task is. */
const taskTypes = ['feature', 'bugfix', 'refactor', 'component', 'chore'] as const;
export type TaskType = (typeof taskTypes)[number];

const shortText = z.string().trim().min(1).max(4000);

/** A reviewer's answer. It has no verdict field: code computes the verdict. */
export const ReviewerAnswer = z.object({
  findings: z
    .array(
      z.object({
        severity: z.enum(severities),
        category: z.string().trim().min(1).max(60).default('other'),
        file: z.string().trim().min(1).max(1000),
        line: z.int().positive().optional(),
        symbol: z.string().trim().min(1).max(200).optional(),
        quote: z.string().max(2000).optional().describe('Text of the file that the finding is about.'),
        issue: shortText,
        suggestion: z.string().max(4000).default(''),
      }),
    )
    .max(200),
  criteria: z
    .array(
      z.object({
        text: shortText,
        status: z.enum(['met', 'partial', 'missing', 'unclear']),
        evidence: z.string().max(2000).default(''),
      }),
    )
    .max(200)
    .default([]),
  scopeCreep: z
    .array(z.object({ file: z.string().min(1), why: shortText }))
    .max(200)
    .default([]),
});
export type ReviewerAnswer = z.infer<typeof ReviewerAnswer>;

export const CriterionVerdict = z.object({
  text: z.string(),
  status: z.enum(['met', 'partial', 'missing', 'unclear']).describe('The worst that a reviewer says.'),
  by: z.record(z.string(), z.string()).describe('Status and evidence by reviewer.'),
});
export type CriterionVerdict = z.infer<typeof CriterionVerdict>;

const ReviewerReport = z.object({
  name: z.string(),
  agent: z.string(),
  model: z.string().nullable(),
  family: z.string().describe('Models of one family tend to make the same mistakes.'),
  status: z.enum(['answered', 'late', 'failed', 'unusable']),
  reason: z.string(),
  findings: z.int().nonnegative(),
  alone: z.array(z.string()).describe('Findings that no other reviewer has.'),
});
export type ReviewerReport = z.infer<typeof ReviewerReport>;

const RedTest = z.object({
  finding: z.string(),
  file: z.string(),
  content: z.string(),
  evidence: z.string(),
});

const MutantReport = z.object({
  tried: z.int().nonnegative(),
  killed: z.int().nonnegative(),
  survived: z
    .array(
      z.object({
        file: z.string(),
        line: z.int().positive(),
        was: z.string(),
        becomes: z.string(),
        tests: z.array(z.string()).describe('That reach the file and did not notice.'),
      }),
    )
    .describe('Small changes of changed lines that no test noticed.'),
  undecided: z.int().nonnegative().describe('Their tests did not end, or the time was over.'),
});
export type MutantReport = z.infer<typeof MutantReport>;

export const ReviewReport = z.object({
  schema: z.literal('joinery/review@1'),
  verdict: z.enum(['approve', 'revise', 'uncertain']),
  reason: z.string(),
  base: z.object({ ref: z.string(), commit: z.string() }),
  branch: z.object({ ref: z.string(), commit: z.string() }),
  stoppedAt: z
    .enum(['checks', 'reviewers', 'triage', 'nowhere'])
    .describe('checks: no reviewer was asked, because a code-based check fails.'),
  checks: z.array(z.object({ name: z.string(), status: z.string(), detail: z.string() })),
  order: z.array(z.string()).describe('Files in the order of their risk, as reviewers got them.'),
  taskType: z
    .object({ type: z.enum(taskTypes), rule: z.string().describe('Evidence for the classification.') })
    .nullable()
    .default(null)
    .describe('What reviewers look at first depends on it.'),
  mutants: MutantReport.nullable().default(null).describe('null: not asked for.'),
  audit: z
    .object({
      route: z.enum(['architecture', 'production']),
      status: z.enum(['answered', 'absent']),
      reason: z.string(),
      findings: z.int().nonnegative(),
    })
    .nullable()
    .default(null)
    .describe('Agent that reviewed the whole change after reviewers objected; null: none.'),
  reviewers: z.array(ReviewerReport),
  findings: z.array(RawFinding),
  triage: Triage.nullable(),
  guards: z.array(z.string()),
  consensus: Consensus,
  rebuttals: z.int().nonnegative(),
  criteria: z.array(CriterionVerdict),
  scopeCreep: z.array(z.object({ file: z.string(), why: z.string(), reviewers: z.array(z.string()) })),
  redTests: z.array(RedTest).describe('Tests that fail because of accepted findings: make them pass.'),
  cost: z.array(Consultation.extend({ reviewer: z.string().nullable() })),
  resume: z
    .string()
    .nullable()
    .describe('What to type to try again; null when nothing has to be tried again.'),
});
export type ReviewReport = z.infer<typeof ReviewReport>;
