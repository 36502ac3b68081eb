import { z } from 'zod';
import { Consultation } from './planning.ts';

export const defectStatuses = [
  'filed',
  'triaging',
  'triaged',
  'reproducing',
  'reproduced',
  'fixing',
  'fixed',
  'reviewing',
  'reviewed',
  'integrating',
  'resolved',
  'rejected',
  'escalated',
] as const;
export const DefectStatus = z.enum(defectStatuses);
export type DefectStatus = z.infer<typeof DefectStatus>;

/** The assessment of a report by an agent that read the code. */
export const Triage = z.object({
  isDefect: z.boolean(),
  reportedSeverity: z.enum(['P0', 'P1', 'P2', 'P3']).nullable().default(null),
  defectType: z.enum(['logic', 'visual', 'data']).nullable().default(null),
  complexity: z.enum(['trivial', 'moderate', 'complex']),
  rootCauseHypothesis: z.string().default(''),
  affectedFiles: z.array(z.string().min(1)).default([]),
  blastRadius: z.enum(['low', 'medium', 'high']),
  blastRadiusDetail: z.string().default(''),
  testCoverage: z.enum(['existing', 'none']).default('none'),
  testCoverageDetail: z.string().default(''),
  relatedSpec: z.string().nullable().default(null),
  suggestedApproach: z.string().default(''),
  regressionRisks: z.array(z.string()).default([]),
  escalationReason: z.string().nullable().default(null),
});
export type Triage = z.infer<typeof Triage>;

const ObjectId = z.string().regex(/^[0-9a-f]{40,64}$/);

/** Red before, green after: each with its evidence. */
const DefectProof = z.object({
  red: z.object({
    commit: ObjectId.describe('The test, without the fix.'),
    tests: z.array(z.string()).describe('Tests that fail there and did not fail on the base.'),
    evidence: z.array(z.string()),
  }),
  green: z
    .object({
      commit: ObjectId.describe('The test with the fix.'),
      gates: z.array(z.object({ gate: z.string(), status: z.string(), reason: z.string() })),
      evidence: z.array(z.string()),
    })
    .nullable(),
});

export const DefectAttempt = z.object({
  stage: z.enum(['reproducing', 'fixing']),
  n: z.int().positive(),
  outcome: z.string(),
  changed: z.array(z.string()).describe('Test files that were used.'),
  reverted: z.array(z.string()).describe('Files beyond what may change: they were left out.'),
  problems: z.array(z.string()).describe('Why it was not accepted; empty when it was.'),
});
export type DefectAttempt = z.infer<typeof DefectAttempt>;

export const DefectReport = z.object({
  schema: z.literal('joinery/defect@1'),
  name: z.string(),
  status: DefectStatus,
  reason: z.string().describe('Why it does not go on; empty when it is fixed.'),
  report: z.string().describe('Path of the report.'),
  reportSha256: z.string(),
  base: ObjectId,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  triage: Triage.nullable(),
  route: z
    .enum(['trivial', 'moderate', 'complex'])
    .nullable()
    .describe('Computed: at least what the triage says.'),
  draft: z.string().nullable().describe('Product spec that was drafted for a complex defect.'),
  branch: z.string().nullable().describe('Branch with the fix.'),
  proof: DefectProof.nullable(),
  attempts: z.array(DefectAttempt),
  history: z.array(z.object({ status: DefectStatus, at: z.iso.datetime() })),
  consultations: z.array(Consultation),
});
export type DefectReport = z.infer<typeof DefectReport>;
