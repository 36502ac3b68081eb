import { z } from 'zod';
import { effects } from './verdict.ts';
import { confidences, severities } from './vocabulary.ts';

/** Receipts of older versions lack these fields: adding them would change their digest. */
const boundTo = z.string().optional().describe('The tree it was decided on.');

const Tip = z.object({ ref: z.string(), commit: z.string() });

export const IntegrationStep = z.object({
  name: z.enum(['check', 'merge', 'siblings', 'conservation', 'gates', 'tests', 'contract', 'land']),
  status: z.enum(['pass', 'fail', 'warn', 'undecided', 'skipped']),
  detail: z.string(),
});
export type IntegrationStep = z.infer<typeof IntegrationStep>;

const LeftBranch = z.object({
  ref: z.string(),
  reason: z.string(),
  isEmpty: z.literal(true).optional().describe('The target has all of it already: nothing is missing.'),
});
export type LeftBranch = z.infer<typeof LeftBranch>;

export const Loss = z.object({
  branch: z.string(),
  path: z.string(),
  entity: z
    .string()
    .nullable()
    .describe('Symbol path inside the file: "User.save"; null for the file or plain text.'),
  what: z
    .enum(['file', 'added', 'changed', 'removed'])
    .describe('What the branch did and the result does not show.'),
  line: z.int().nullable().describe('Line in the branch.'),
  detail: z.string(),
});
export type Loss = z.infer<typeof Loss>;

/** Why a change of a branch is deliberately not in the result. */
export const AcceptedLoss = z.object({
  branch: z.string(),
  path: z.string(),
  entity: z.string().nullable().default(null).describe('null: everything in the file.'),
  reason: z.string().min(1),
});
export type AcceptedLoss = z.infer<typeof AcceptedLoss>;

export const Decisions = z
  .object({ schema: z.literal('joinery/decisions@1'), decisions: z.array(AcceptedLoss).min(1) })
  .describe(
    'What a person decided to leave out of a result: the entries that "lost" lists, each with a reason.',
  );

/** A finding about what would land, as check had it. */
export const KnownFinding = z.object({
  id: z.string(),
  rule: z.string(),
  severity: z.enum(severities),
  confidence: z.enum(confidences),
  judge: z.string().nullable(),
  effect: z.enum(effects),
  accepted: z.string().optional().describe('Why a person accepts it; the judge is that person.'),
  message: z.string(),
  branches: z.array(z.string()),
  commits: z.array(z.string()).describe('Of these branches: an acceptance holds for them alone.'),
  places: z.array(z.string()).describe('src/a.js:3, the place that has to change first.'),
  note: z.string().optional().describe('What the tests of the result say about it.'),
});
export type KnownFinding = z.infer<typeof KnownFinding>;

/** A result on which nothing was run. */
export const Unproven = z.object({
  reason: z.string().describe('Why nothing was run.'),
  by: z.string().nullable().describe('Who decided that it may land: `ada (terminal)`; null: nobody has.'),
});
export type Unproven = z.infer<typeof Unproven>;

/** A person decides that a finding is no reason to wait. */
export const Acceptance = z.object({
  id: z.string().describe('Of the finding, or its first characters.'),
  reason: z.string().min(1),
  by: z.string().describe('person:ada'),
});

export const Receipt = z.object({
  schema: z.literal('joinery/receipt@1'),
  id: z.string(),
  target: z.object({ ref: z.string(), before: z.string(), tree: z.string() }),
  integration: z.object({ commit: z.string(), tree: z.string() }),
  branches: z.array(
    Tip.extend({
      tree: z.string(),
      tasks: z.array(z.string()).optional().describe('The tasks of the run that it holds the work of.'),
      files: z.int(),
      entities: z.array(z.string()),
    }),
  ),
  left: z.array(LeftBranch),
  decisions: z.array(AcceptedLoss),
  resolved: z.array(z.string()).optional().describe('Branches whose text conflicts an integrator resolved.'),
  findings: z
    .array(KnownFinding)
    .optional()
    .describe('What check told of the branches. Receipts of older versions lack it.'),
  steps: z.array(IntegrationStep.extend({ tree: boundTo })),
  evidence: z.array(
    z.object({
      gate: z.string(),
      status: z.string(),
      evidence: z.string().nullable(),
      tree: z.string(),
      command: z.string().optional(),
      detail: z.string().optional().describe('npm test (package.json): 340 cases green, 12.1 s'),
    }),
  ),
  unproven: Unproven.optional().describe('Nothing was run on the result. Absent: its tests were.'),
});
export type Receipt = z.infer<typeof Receipt>;

export const IntegrationReport = z.object({
  schema: z.literal('joinery/integrate@1'),
  status: z.enum(['landed', 'ready', 'blocked', 'conflict', 'lost', 'undecided', 'nothing']),
  id: z.string(),
  target: z.object({ ref: z.string(), before: z.string(), after: z.string().nullable() }),
  integration: z.object({ branch: z.string(), commit: z.string() }).nullable(),
  merged: z.array(Tip),
  left: z.array(LeftBranch).describe('Branches that are not in it, and why.'),
  findings: z.array(KnownFinding).default([]).describe('What check told of the branches.'),
  steps: z.array(IntegrationStep),
  lost: z.array(Loss),
  receipt: z.string().nullable().describe('sha256 of the receipt; the trailer of the landing commit.'),
  next: z.string().nullable().describe('The one command that finishes it.'),
  unproven: Unproven.optional().describe(
    'Nothing was run on the result: landing it is a decision of a person.',
  ),
});
export type IntegrationReport = z.infer<typeof IntegrationReport>;

export const ReceiptReport = z.object({
  schema: z.literal('joinery/receipt-check@1'),
  status: z.enum(['pass', 'fail']),
  landing: z.string().describe('The landing commit.'),
  isDone: z.boolean().describe('The landing commit is an ancestor of the target now.'),
  digest: z.string(),
  receipt: Receipt,
  checks: z
    .array(z.object({ name: z.string(), isTrue: z.boolean(), detail: z.string() }))
    .describe('Recomputed from the repository; empty when only shown.'),
});
export type ReceiptReport = z.infer<typeof ReceiptReport>;

export const UndoReport = z.object({
  schema: z.literal('joinery/undo@1'),
  status: z.enum(['undone', 'kept']),
  id: z.string(),
  target: z.object({ ref: z.string(), before: z.string(), after: z.string() }),
  reason: z.string(),
  next: z.string().nullable(),
  kept: z.string().optional().describe('What no branch has any more, and the command that brings it back.'),
});
export type UndoReport = z.infer<typeof UndoReport>;
