import { z } from 'zod';

/** The artifacts that only steps of workflows submit; the others are in `phase-handoffs.ts`. */

export const AssessmentArtifact = z.strictObject({
  kind: z.literal('wr.assessment'),
  assessmentId: z.string().max(64).optional(),
  summary: z.string().max(1024).optional(),
  dimensions: z
    .record(
      z.string(),
      z.union([z.string(), z.strictObject({ level: z.string(), rationale: z.string().max(512).optional() })]),
    )
    .refine((entries) => Object.keys(entries).length > 0, 'has no dimension'),
});
export type AssessmentArtifact = z.infer<typeof AssessmentArtifact>;

export const CoordinatorSignalArtifact = z.strictObject({
  kind: z.literal('wr.coordinator_signal'),
  signalKind: z.enum(['progress', 'finding', 'data_needed', 'approval_needed', 'blocked']),
  payload: z.record(z.string(), z.unknown()),
  sessionId: z.string().optional(),
});

const powers = [
  'scale_economies',
  'network_effects',
  'counter_positioning',
  'switching_costs',
  'branding',
  'cornered_resource',
  'process_power',
  'none',
] as const;

export const DifferentiationArtifact = z.strictObject({
  kind: z.literal('wr.differentiation_handoff'),
  version: z.literal(1),
  schemaVersion: z.literal('1.0.0'),
  generatedAt: z.iso.datetime({ offset: true }),
  evidenceFreshness: z.strictObject({ oldest: z.string(), newest: z.string() }),
  validationChecklist: z.array(z.string().max(200)).max(10),
  shapingHandoff: z.strictObject({
    rawIdea: z.string().min(1),
    problem: z.string().min(1),
    baseline: z.string(),
    appetiteHint: z.enum(['small_batch', 'big_batch']),
    noGosHints: z.array(z.string()),
    constraints: z.strictObject({
      teamSize: z.number().positive(),
      technicalCapabilities: z.array(z.string()).min(1),
      exclusions: z.array(z.string()),
    }),
    evidenceTopK: z.array(z.uuid()).max(10),
    defensibilityClaim: z.strictObject({ power: z.enum(powers), cannibalization: z.string() }),
  }),
});

/** Joinery's own: the outcome of each entry of a step's todo list. */
export const TodoArtifact = z.strictObject({
  kind: z.literal('joinery.todo_list'),
  items: z.array(
    z.strictObject({
      item: z.int().positive().describe('Number of the entry, from 1.'),
      status: z.enum(['done', 'dropped']),
      note: z.string().optional().describe('Needed for one that was dropped: why.'),
    }),
  ),
});
