import { z } from 'zod';
import { Plan } from './plan.ts';

/** The reports of planning: specs, plans and their reviews. */

export const specKinds = ['feature', 'prd', 'rfc', 'design', 'defect'] as const;
export type SpecKind = (typeof specKinds)[number];

const auditLevels = ['structural', 'completeness', 'cross-spec', 'sizing'] as const;

export const AuditIssue = z.object({
  level: z.enum(auditLevels),
  severity: z.enum(['error', 'warning']),
  line: z.int().positive(),
  section: z.string().nullable().describe('Title of the section; null when it is about the whole file.'),
  message: z.string(),
});
export type AuditIssue = z.infer<typeof AuditIssue>;

export const SpecAudit = z.object({
  schema: z.literal('joinery/spec-audit@1'),
  status: z
    .enum(['pass', 'warn', 'fail'])
    .describe('fail: a structural error. warn: anything else that was found.'),
  kind: z.enum(specKinds),
  file: z.string(),
  linked: z.array(z.string()).describe('Other specs it was compared with.'),
  issues: z.array(AuditIssue),
  sizing: z.object({
    estimatedTasks: z.int().nonnegative(),
    recommendation: z.enum(['ok', 'split']),
    rationale: z.string(),
  }),
});
export type SpecAudit = z.infer<typeof SpecAudit>;

export const SpecNewReport = z.object({
  schema: z.literal('joinery/spec-new@1'),
  kind: z.enum(specKinds),
  file: z.string(),
});
export type SpecNewReport = z.infer<typeof SpecNewReport>;

export const PlanInitReport = z.object({ schema: z.literal('joinery/plan-init@1'), file: z.string() });
export type PlanInitReport = z.infer<typeof PlanInitReport>;

const RoleInfo = z.object({
  name: z.string(),
  what: z.string(),
  origin: z.enum(['joinery', 'project']),
  path: z.string().nullable().describe('Of a file of the project, from the top of the repository.'),
  sha256: z.string(),
});

export const RolesReport = z.object({
  schema: z.literal('joinery/roles@1'),
  commit: z.string().nullable().describe('Commit that files of the project were read from.'),
  roles: z.array(RoleInfo),
  text: z.string().optional().describe('The prompt, when one role was named.'),
});
export type RolesReport = z.infer<typeof RolesReport>;

/** One question to an agent and what it cost. */
export const Consultation = z.object({
  role: z.string(),
  n: z.int().positive().describe('Which question to this role.'),
  agent: z.string(),
  model: z.string().nullable(),
  outcome: z.string(),
  reason: z.string(),
  promptSha256: z.string(),
  promptBytes: z.int().nonnegative(),
  dropped: z.array(z.string()).describe('Parts of the prompt that had no room.'),
  in: z.number().nonnegative(),
  out: z.number().nonnegative(),
  usd: z.number().nonnegative(),
  ms: z.number().nonnegative(),
  task: z.string().optional().describe('In a run: the task it was asked about.'),
  reviewer: z.string().nullable().optional().describe('One of several who were asked the same.'),
});
export type Consultation = z.infer<typeof Consultation>;

const Way = z.object({
  tokens: z.number().nonnegative(),
  minutes: z.number().nonnegative(),
  clashProbability: z.number().min(0).max(1),
});

export const Price = z.object({
  parallel: Way,
  serial: Way,
  basis: z.enum(['ledger', 'prior']),
  perTask: z.object({ tokens: z.number().nonnegative(), minutes: z.number().nonnegative() }),
  samples: z.int().nonnegative().describe('Tasks of past runs the price rests on.'),
  pairs: z
    .array(
      z.object({
        tasks: z.tuple([z.string(), z.string()]),
        probability: z.number().min(0).max(1),
        why: z.string(),
      }),
    )
    .describe('Tasks that could clash while both are worked on, the likeliest first.'),
  recommendation: z.enum(['parallel', 'serial']),
  why: z.string(),
});
export type Price = z.infer<typeof Price>;

export const GateFinding = z.object({
  check: z.enum(['task-size', 'shared-file', 'shared-symbol']),
  status: z.enum(['warn', 'fail', 'repaired']),
  tasks: z.array(z.string()),
  message: z.string(),
});
export type GateFinding = z.infer<typeof GateFinding>;

const GuardianFlag = z.object({
  severity: z.enum(['critical', 'warning', 'note']),
  description: z.string(),
  visionReference: z.string().default(''),
  recommendation: z.string().default(''),
});

export const Guardian = z.object({
  status: z.enum(['aligned', 'flagged', 'rejected', 'inconclusive']),
  summary: z.string(),
  flags: z.array(GuardianFlag),
});
export type Guardian = z.infer<typeof Guardian>;

export const GuardianReport = Guardian.extend({
  schema: z.literal('joinery/guardian@1'),
  file: z.string(),
  vision: z.string(),
  consultations: z.array(Consultation),
});
export type GuardianReport = z.infer<typeof GuardianReport>;

export const PlanReport = z.object({
  schema: z.literal('joinery/planning@1'),
  status: z.enum(['planned', 'refused', 'inconclusive', 'needs_human']),
  reason: z.string().describe('Why there is no plan; empty when there is one.'),
  file: z.string().nullable().describe('Where the plan was written; null when none was.'),
  isCached: z.boolean().describe('Nothing changed since the last time: no agent was asked.'),
  key: z.string(),
  base: z.string(),
  plan: Plan.nullable(),
  audit: SpecAudit.nullable(),
  guardian: Guardian.nullable(),
  problems: z.array(z.string()).describe('What is wrong with the last answer of the architect.'),
  decomposition: z.array(GateFinding),
  uncovered: z.array(z.string()).describe('Sections of the spec that no task refers to.'),
  price: Price.nullable(),
  degraded: z.array(z.string()).describe('What could not be looked at, and checks that were skipped.'),
  consultations: z.array(Consultation),
});
export type PlanReport = z.infer<typeof PlanReport>;

export const Requirement = z.object({
  requirement: z.string(),
  specLocation: z.string().default(''),
  task: z.string().nullable().default(null),
  status: z.enum(['covered', 'missing', 'partial', 'drifted']),
  specSays: z.string().default(''),
  planSays: z.string().default(''),
  notes: z.string().default(''),
});
export type Requirement = z.infer<typeof Requirement>;

export const SemanticDrift = z.object({ specTerm: z.string(), planTerm: z.string(), risk: z.string() });

export const CriticalFailure = z.object({
  description: z.string(),
  specReference: z.string().default(''),
  planGap: z.string().default(''),
});

export const NeedsHuman = z.object({
  task: z.string().nullable().default(null),
  file: z.string().default(''),
  issue: z.string(),
  specSays: z.string().default(''),
  planSays: z.string().default(''),
  options: z.array(z.string()).default([]),
});
export type NeedsHuman = z.infer<typeof NeedsHuman>;

export const ContractIssue = z.object({ type: z.string(), description: z.string() });

/** What a verifier found; code decides. */
export const VerifierFindings = z.object({
  coreQuestion: z.object({ text: z.string(), isAnswerable: z.boolean().nullable(), reasoning: z.string() }),
  requirements: z.array(Requirement),
  semanticDrift: z.array(SemanticDrift),
  contractIssues: z.array(ContractIssue),
  criticalFailures: z.array(CriticalFailure),
  recommendations: z.array(z.string()),
  needsHuman: z.array(NeedsHuman),
});
export type VerifierFindings = z.infer<typeof VerifierFindings>;

export const PlanFix = z.object({
  task: z.string().nullable().describe('Null: the plan as a whole.'),
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  reason: z.string(),
});
export type PlanFix = z.infer<typeof PlanFix>;

const Round = z.object({
  n: z.int().nonnegative().describe('0: before any fix.'),
  status: z.enum(['pass', 'fail', 'needs_human', 'inconclusive']),
  failures: z.array(z.object({ fingerprint: z.string(), message: z.string() })),
  fixed: z.array(z.string()).describe('Failures of the round before that are gone.'),
  remaining: z.array(z.string()),
  new: z.array(z.string()),
  fixes: z.array(PlanFix).describe('What was changed before this round.'),
  refused: z.array(z.string()).describe('Fixes that could not be applied, and why.'),
});
export type Round = z.infer<typeof Round>;

export const VerifyReport = z.object({
  schema: z.literal('joinery/verify@1'),
  status: z
    .enum(['pass', 'fail', 'needs_human', 'inconclusive'])
    .describe('Recomputed from what was found; inconclusive: the verifier gave no usable answer.'),
  reason: z.string(),
  plan: z.string(),
  spec: z.string(),
  findings: VerifierFindings.nullable().describe('Of the last round.'),
  rounds: z.array(Round),
  fixes: z.array(PlanFix).describe('All that were applied to the plan file.'),
  needsHuman: z.array(NeedsHuman),
  counts: z.object({
    critical: z.int().nonnegative(),
    warnings: z.int().nonnegative(),
    recommendations: z.int().nonnegative(),
    requirements: z.int().nonnegative(),
    covered: z.int().nonnegative(),
  }),
  consultations: z.array(Consultation),
});
export type VerifyReport = z.infer<typeof VerifyReport>;
