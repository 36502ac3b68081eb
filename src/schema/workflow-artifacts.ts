import { z } from 'zod';

/** The artifacts that steps submit, in the terms of the format workflows are written in. */

const Level = z.enum(['high', 'medium', 'low']);

function texts(most: number, length: number) {
  return z.array(z.string().max(length)).max(most);
}

export const LoopControlArtifact = z.strictObject({
  kind: z.literal('wr.loop_control'),
  decision: z.enum(['continue', 'stop']),
  loopId: z
    .string()
    .regex(/^[a-z0-9_-]+$/)
    .max(64)
    .optional(),
  metadata: z
    .strictObject({
      reason: z.string().max(1024).optional(),
      issuesFound: z.int().nonnegative().optional(),
      iterationIndex: z.int().nonnegative().optional(),
      confidence: z.number().min(0).max(100).optional(),
    })
    .optional(),
});

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

export const ReviewVerdictArtifact = z.strictObject({
  kind: z.literal('wr.review_verdict'),
  verdict: z.enum(['clean', 'minor', 'blocking']),
  confidence: Level,
  summary: z.string().min(1),
  findings: z.array(
    z.looseObject({
      severity: z.enum(['critical', 'major', 'minor', 'nit']),
      summary: z.string().min(1),
      findingCategory: z
        .enum(['correctness', 'security', 'architecture', 'ux', 'performance', 'testing', 'style'])
        .optional(),
    }),
  ),
});

export const DiscoveryArtifact = z.strictObject({
  kind: z.literal('wr.discovery_handoff'),
  version: z.literal(1),
  selectedDirection: z.string().min(1),
  designDocPath: z.string(),
  confidenceBand: Level,
  keyInvariants: texts(12, 200),
  rejectedDirections: z
    .array(z.strictObject({ direction: z.string().max(200), reason: z.string().max(300) }))
    .max(5)
    .optional(),
  implementationConstraints: texts(8, 200).optional(),
  keyCodebaseLocations: z
    .array(z.strictObject({ path: z.string().max(300), relevance: z.string().max(150) }))
    .max(10)
    .optional(),
  selectionTier: z
    .enum(['strong_recommendation', 'provisional_recommendation', 'insufficient_signal'])
    .optional(),
});

export const ShapingArtifact = z.strictObject({
  kind: z.literal('wr.shaping_handoff'),
  version: z.literal(1),
  pitchPath: z.string().min(1),
  selectedShape: z.string().max(200),
  appetite: z.string().max(100),
  keyConstraints: texts(8, 200),
  rabbitHoles: texts(6, 200),
  outOfScope: texts(6, 200),
  validationChecklist: texts(10, 200),
});

export const CodingArtifact = z.strictObject({
  kind: z.literal('wr.coding_handoff'),
  version: z.literal(1),
  branchName: z.string().optional(),
  keyDecisions: texts(8, 200),
  knownLimitations: texts(6, 200),
  testsAdded: texts(10, 200),
  filesChanged: texts(20, 300),
  correctedAssumptions: z
    .array(z.strictObject({ assumed: z.string().max(200), actual: z.string().max(200) }))
    .max(6)
    .optional(),
});

export const GateVerdictArtifact = z.strictObject({
  kind: z.literal('wr.gate_verdict'),
  version: z.literal(1),
  verdict: z.enum(['approved', 'rejected', 'uncertain']),
  confidence: Level,
  rationale: z.string().min(20),
});
export type GateVerdictArtifact = z.infer<typeof GateVerdictArtifact>;

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
  validationChecklist: texts(10, 200),
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
