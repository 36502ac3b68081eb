import { z } from 'zod';

/** Longer texts of a model are cut, because they are shown to people. */
const longestText = 4000;
const Words = z
  .string()
  .trim()
  .min(1)
  .transform((text) => text.slice(0, longestText));

const ModelSeverity = z.enum(['critical', 'major', 'minor']);
export type ModelSeverity = z.infer<typeof ModelSeverity>;

/** A branch as the model names it: its name, or its number in the prompt. */
const BranchName = z.union([z.string().trim().min(1), z.int().transform(String)]);
const BranchNames = z.array(BranchName).max(50).default([]);

/** `src/a.ts:12`, `src/a.ts:12#User.name`, or an object with these parts. */
export const ModelPlace = z.union([
  z.string().trim().min(1).max(2000),
  z.object({
    branch: BranchName.nullish(),
    file: z.string().trim().min(1).max(1000),
    line: z.int().nullish(),
    symbol: z.string().trim().min(1).max(300).nullish(),
  }),
]);
export type ModelPlace = z.infer<typeof ModelPlace>;
const Places = z.array(ModelPlace).max(50);

export const InterfaceMismatch = z.object({
  taskA: BranchName,
  taskB: BranchName,
  locationA: ModelPlace,
  locationB: ModelPlace,
  description: Words,
  severity: ModelSeverity,
});

export const Inconsistency = z.object({
  description: Words,
  locations: Places,
  branches: BranchNames,
  severity: ModelSeverity,
});

export const Duplicate = z.object({
  description: Words,
  locations: Places,
  branches: BranchNames,
  severity: ModelSeverity.default('minor'),
});

export const MissingConnection = z.object({
  description: Words,
  expectedIn: ModelPlace,
  locations: Places.default([]),
  branches: BranchNames,
  severity: ModelSeverity,
});

export const ContractGap = z.object({
  contractItem: Words,
  status: z.enum(['satisfied', 'missing', 'partial']),
  notes: z
    .string()
    .default('')
    .transform((text) => text.trim().slice(0, longestText)),
});

export const Remark = Words;

const PromptRecord = z.object({
  sha256: z.string(),
  bytes: z.int().nonnegative(),
  dropped: z.array(z.string()).describe('Parts that had no room, whole.'),
  cut: z
    .array(z.object({ branch: z.string(), hunks: z.int().positive() }))
    .describe('Hunks of diffs that had no room.'),
});
export type PromptRecord = z.infer<typeof PromptRecord>;

/** A model's opinion about the branches, checked against the facts. It decides nothing. */
export const Opinion = z
  .object({
    status: z
      .enum(['read', 'inconclusive'])
      .describe('inconclusive: there is no readable answer; the verdict comes from code alone.'),
    reason: z.string().describe('Why it is inconclusive; else empty.'),
    from: z
      .object({ agent: z.string().nullable(), model: z.string().nullable(), file: z.string().nullable() })
      .describe('Who gave it: an agent that was asked, or a file.'),
    said: z.string().nullable().describe('Its own verdict, which is ignored.'),
    summary: z.string(),
    findings: z
      .array(z.string())
      .describe('Ids of the findings of this report that it alone reports: decidedBy is agent.'),
    agrees: z
      .array(z.object({ finding: z.string(), says: z.string() }))
      .describe('What code found as well: id of the finding, and its own words.'),
    dropped: z
      .array(z.object({ entry: z.string(), says: z.string(), reason: z.string() }))
      .describe('Findings that do not hold: a file, line, symbol, branch or item that does not exist.'),
    unread: z.array(z.string()).describe('Parts of the answer that do not have the requested format.'),
    criticalIssues: z.array(z.string()).describe('In its own words.'),
    recommendations: z.array(z.string()).describe('In its own words.'),
    prompt: PromptRecord.nullable().describe('null: the answer was made elsewhere.'),
    cost: z
      .object({ in: z.number().nonnegative(), out: z.number().nonnegative(), usd: z.number().nonnegative() })
      .nullable(),
  })
  .describe(
    'The opinion of a model, checked against the facts. It changes neither the verdict nor the findings of code.',
  );
export type Opinion = z.infer<typeof Opinion>;

/** `joinery check --agent-prompt --json`. */
export const CheckPromptReport = z.object({
  schema: z.literal('joinery/check-prompt@1'),
  base: z.object({ ref: z.string(), commit: z.string() }),
  branches: z.array(z.object({ ref: z.string(), commit: z.string() })),
  prompt: PromptRecord,
  text: z.string(),
});
export type CheckPromptReport = z.infer<typeof CheckPromptReport>;
