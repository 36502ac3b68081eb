import { z } from 'zod';

/** Typed claims of whole phases, as handoffs and steps of workflows require them. Each is a JSON object that names its kind. */

const text = (most: number) => z.string().max(most);
const texts = (most: number, length = 200) => z.array(text(length)).max(most);
const Band = z.enum(['high', 'medium', 'low']);

export const DiscoveryHandoff = z.strictObject({
  kind: z.literal('wr.discovery_handoff'),
  version: z.literal(1),
  selectedDirection: z.string().min(1),
  designDocPath: z.string(),
  confidenceBand: Band,
  keyInvariants: texts(12),
  rejectedDirections: z
    .array(z.strictObject({ direction: text(200), reason: text(300) }))
    .max(5)
    .optional(),
  implementationConstraints: texts(8).optional(),
  keyCodebaseLocations: z
    .array(z.strictObject({ path: text(300), relevance: text(150) }))
    .max(10)
    .optional(),
  selectionTier: z
    .enum(['strong_recommendation', 'provisional_recommendation', 'insufficient_signal'])
    .optional(),
});
export type DiscoveryHandoff = z.infer<typeof DiscoveryHandoff>;

export const ShapingHandoff = z.strictObject({
  kind: z.literal('wr.shaping_handoff'),
  version: z.literal(1),
  pitchPath: z.string().min(1),
  selectedShape: text(200),
  appetite: text(100),
  keyConstraints: texts(8),
  rabbitHoles: texts(6),
  outOfScope: texts(6),
  validationChecklist: texts(10),
});
export type ShapingHandoff = z.infer<typeof ShapingHandoff>;

export const CodingHandoff = z.strictObject({
  kind: z.literal('wr.coding_handoff'),
  version: z.literal(1),
  branchName: z.string().optional(),
  keyDecisions: texts(8),
  knownLimitations: texts(6),
  testsAdded: texts(10),
  filesChanged: texts(20, 300),
  correctedAssumptions: z
    .array(z.strictObject({ assumed: text(200), actual: text(200) }))
    .max(6)
    .optional(),
});
export type CodingHandoff = z.infer<typeof CodingHandoff>;

const ReviewFinding = z.looseObject({
  severity: z.enum(['critical', 'major', 'minor', 'nit']),
  summary: z.string().min(1),
  findingCategory: z
    .enum(['correctness', 'security', 'architecture', 'ux', 'performance', 'testing', 'style'])
    .optional(),
});

export const ReviewVerdict = z.strictObject({
  kind: z.literal('wr.review_verdict'),
  verdict: z.enum(['clean', 'minor', 'blocking']),
  confidence: Band,
  summary: z.string().min(1),
  findings: z.array(ReviewFinding),
});

export const LoopDecision = z.strictObject({
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

export const GateVerdict = z.strictObject({
  kind: z.literal('wr.gate_verdict'),
  version: z.literal(1),
  verdict: z.enum(['approved', 'rejected', 'uncertain']),
  confidence: Band,
  rationale: z.string().min(20),
});
export type GateVerdict = z.infer<typeof GateVerdict>;
