import { z } from 'zod';
import { Globs } from './glob.ts';
import { severities } from './vocabulary.ts';

/** All checks of an attempt's work that need no model and run nothing of the project, in the order in which they are reported. */
const groundingChecks = [
  'not-blocked',
  'non-empty-diff',
  'declared-files',
  'declared-scope',
  'contract-stubs',
  'links-inside',
  'steering-files',
  'gate-tampering',
  'imports-resolve',
  'tests-for-sources',
  'acceptance',
  'secrets',
  'gate-evidence',
] as const;
export type GroundingCheckName = (typeof groundingChecks)[number];

/** Settings of grounding. They are read at the base commit, never from a tree an agent can write. */
export const GroundingPolicy = z.object({
  checks: z
    .record(z.string(), z.enum([...severities, 'off']))
    .default({})
    .describe('Severity of a check, or "off": { "gate-evidence": "blocking" }.'),
  undeclared: z
    .int()
    .nonnegative()
    .default(2)
    .describe('Files beyond the declared ones that are only warned about; more of them fail.'),
  amendments: z
    .int()
    .nonnegative()
    .default(5)
    .describe('Files an agent may add to its declaration with a reason.'),
  untested: Globs.default([]).describe('Globs of additional source files that need no test.'),
  testsFor: z
    .array(z.object({ source: z.string().min(1), tests: z.array(z.string().min(1)).min(1) }))
    .default([])
    .describe('Where tests are: { "source": "src/{dir}/{name}.ts", "tests": ["spec/{dir}/{name}.ts"] }.'),
  protect: Globs.default([]).describe('Globs of further files that decide what a gate runs.'),
  notSecret: Globs.default([]).describe('Globs of files in which nothing is taken for a secret.'),
  allowedSecrets: z
    .array(z.string().regex(/^[0-9a-f]{16}$/))
    .default([])
    .describe('Fingerprints of values that look like secrets but are not, as joinery secrets prints them.'),
});
export type GroundingPolicy = z.infer<typeof GroundingPolicy>;

export const GroundFinding = z.object({
  check: z.enum(groundingChecks),
  severity: z.enum(severities),
  fingerprint: z.string().describe('The same for the same problem, regardless of its wording or line.'),
  message: z.string(),
  hint: z.string().describe('What can be done about it.'),
  file: z.string().optional(),
  line: z.int().positive().optional(),
  owner: z.string().optional().describe('The task that the file belongs to, when it is another one.'),
});
export type GroundFinding = z.infer<typeof GroundFinding>;

export const GroundCheck = z.object({
  name: z.enum(groundingChecks),
  status: z.enum(['pass', 'fail', 'warn', 'inconclusive', 'skipped']),
  severity: z.enum([...severities, 'off']).describe('What a problem it finds means.'),
  detail: z.string(),
  findings: z.array(GroundFinding),
});
export type GroundCheck = z.infer<typeof GroundCheck>;

/** A criterion of the plan and what was found out about it. */
export const VerifiedCriterion = z.object({
  text: z.string(),
  verifyBy: z.string(),
  arg: z.string().optional(),
  status: z.enum(['met', 'unmet', 'unverified', 'inconclusive']),
  detail: z.string(),
});
export type VerifiedCriterion = z.infer<typeof VerifiedCriterion>;

/** A file that an agent asked to add to its declaration, and the decision. */
export const Amendment = z.object({
  file: z.string(),
  reason: z.string(),
  refused: z.string().nullable().describe('Why it was not granted; null when it was.'),
});
export type Amendment = z.infer<typeof Amendment>;

const ObjectId = z.string().regex(/^[0-9a-f]{40,64}$/);

export const GroundReport = z.object({
  schema: z.literal('joinery/ground@1'),
  status: z.enum(['pass', 'fail', 'inconclusive']),
  base: z.object({ ref: z.string(), commit: ObjectId, mergeBase: ObjectId }),
  branch: z.object({ ref: z.string(), commit: ObjectId }),
  files: z.int().nonnegative().describe('Files that differ from the merge base.'),
  declared: z.array(z.string()).nullable().describe('null: nothing was declared.'),
  task: z.string().nullable().describe('The task of the plan that it was compared with.'),
  criteria: z
    .array(VerifiedCriterion)
    .describe('Of that task; empty as well when something else failed, for they may run what is there.'),
  checks: z.array(GroundCheck),
  inconclusive: z.array(z.object({ file: z.string().optional(), reason: z.string() })),
});
export type GroundReport = z.infer<typeof GroundReport>;
