import { z } from 'zod';
import { severities } from './vocabulary.ts';

/** The JSON of the commands that look at one branch without a model. */

const ObjectId = z.string().regex(/^[0-9a-f]{40,64}$/);

export const ProofFinding = z.object({
  rule: z.string(),
  severity: z.enum(severities),
  fingerprint: z.string().describe('The same for the same problem, regardless of its wording or line.'),
  message: z.string(),
  hint: z.string().describe('What can be done about it.'),
  file: z.string().optional(),
  line: z.int().positive().optional(),
});
export type ProofFinding = z.infer<typeof ProofFinding>;

const ComparedWith = {
  base: z.object({ ref: z.string(), commit: ObjectId, mergeBase: ObjectId }),
  branch: z.object({ ref: z.string(), commit: ObjectId }),
};

const Unknown = z.array(z.object({ file: z.string().optional(), reason: z.string() }));

const riskSignals = [
  'migration',
  'security-path',
  'test-lines-removed',
  'assertion-weakened',
  'no-test-change',
  'public-api',
  'complexity',
  'ui-critical',
  'lines-changed',
] as const;
export type RiskSignal = (typeof riskSignals)[number];

const RiskFile = z.object({
  path: z.string(),
  score: z.number().nonnegative(),
  level: z.enum(['high', 'medium', 'low']),
  signals: z.array(
    z.object({
      name: z.enum(riskSignals),
      weight: z.number().positive(),
      share: z.number().min(0).max(1).describe('How much of the weight counts.'),
      detail: z.string(),
    }),
  ),
});
export type RiskFile = z.infer<typeof RiskFile>;

export const RiskReport = z.object({
  schema: z.literal('joinery/risk@1'),
  ...ComparedWith,
  files: z.array(RiskFile).describe('The riskiest first: the order to read them in.'),
  leftOut: z
    .array(
      z.object({
        path: z.string(),
        why: z.enum(['lockfile', 'generated', 'binary', 'renamed only', 'mode only']),
      }),
    )
    .describe('Changed files that need no reading for risk.'),
  inconclusive: Unknown,
});
export type RiskReport = z.infer<typeof RiskReport>;

export const GapsReport = z.object({
  schema: z.literal('joinery/tests-gaps@1'),
  status: z.enum(['pass', 'fail', 'inconclusive']),
  ...ComparedWith,
  symbols: z.int().nonnegative().describe('Public symbols that the branch adds.'),
  threshold: z
    .int()
    .nonnegative()
    .nullable()
    .describe('More gaps than this fail; null: gaps are only listed.'),
  findings: z.array(ProofFinding.extend({ symbol: z.string().describe('<path>#<name>.') })),
  notFollowed: z
    .array(z.object({ ending: z.string(), files: z.int().positive() }))
    .describe('Changed sources in languages whose imports are not followed.'),
  inconclusive: Unknown,
});
export type GapsReport = z.infer<typeof GapsReport>;

export const IntegrityReport = z.object({
  schema: z.literal('joinery/tests-integrity@1'),
  status: z.enum(['pass', 'fail', 'inconclusive']),
  ...ComparedWith,
  findings: z.array(
    ProofFinding.extend({
      contested: z.string().nullable().describe('Reason of the trailer that allows it.'),
    }),
  ),
  trailers: z
    .array(z.object({ id: z.string(), reason: z.string(), commit: ObjectId, isUsed: z.boolean() }))
    .describe('Every Test-Change trailer of the branch.'),
  inconclusive: Unknown,
});
export type IntegrityReport = z.infer<typeof IntegrityReport>;

export const SecretsReport = z.object({
  schema: z.literal('joinery/secrets@1'),
  status: z.enum(['pass', 'fail', 'inconclusive']),
  scope: z.enum(['branch', 'staged']),
  branch: z.string().describe('The branch as named, or "the index".'),
  base: z.string().describe('What it is compared with.'),
  files: z.int().nonnegative(),
  findings: z.array(ProofFinding),
  allowed: z
    .array(z.object({ fingerprint: z.string(), file: z.string(), line: z.int().positive() }))
    .describe('Found and allowed by the settings of the base.'),
  inconclusive: Unknown,
});
export type SecretsReport = z.infer<typeof SecretsReport>;

export const GuidesReport = z.object({
  schema: z.literal('joinery/guides@1'),
  files: z.array(
    z.object({
      path: z.string(),
      guides: z.array(z.string()).describe('Deepest first.'),
      dropped: z.array(z.string()).describe('Beyond the first five.'),
    }),
  ),
  guides: z.array(z.string()).describe('Of all files together, deepest first, five at most.'),
  dropped: z.array(z.string()),
});
export type GuidesReport = z.infer<typeof GuidesReport>;
