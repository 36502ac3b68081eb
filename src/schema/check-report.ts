import { z } from 'zod';
import { Opinion } from './opinion.ts';
import { effects, verdicts } from './verdict.ts';
import { categories, confidences, severities, tiers } from './vocabulary.ts';

const Ref = z.string().describe('The argument as typed.');
const ObjectId = z.string().regex(/^[0-9a-f]{40,64}$/);

const BranchState = z
  .enum(['checked', 'empty', 'merged', 'duplicate', 'conflicted'])
  .describe(
    'checked: part of the union. empty: no changes. merged: base already holds its work. duplicate: another name of a commit listed before. conflicted: its text does not merge with base.',
  );

export const Branch = z.object({
  ref: Ref,
  commit: ObjectId,
  mergeBase: ObjectId,
  files: z.int().nonnegative().describe('Files it changes since the merge base.'),
  state: BranchState,
});
export type Branch = z.infer<typeof Branch>;

export const Site = z.object({
  branch: Ref,
  file: z.string(),
  line: z.int().positive(),
  column: z.int().positive(),
  endLine: z.int().positive(),
  symbol: z.string().describe('Symbol id: <path>#<Container.>name.'),
  role: z.enum(['provider', 'consumer']),
});
export type Site = z.infer<typeof Site>;

const Witness = z.object({
  unionTree: ObjectId.nullable().describe(
    'Tree in which the problem exists; null when the text does not merge.',
  ),
  members: z.array(z.object({ ref: Ref, commit: ObjectId })),
  command: z.string().describe('Shows the problem again.'),
  output: z.string(),
  absentOn: z.array(Ref).describe('Members on which, alone, the problem does not exist.'),
});

export const Finding = z.object({
  id: z.string(),
  rootCause: z.string(),
  rule: z.string(),
  category: z.enum(categories),
  tags: z.array(z.enum(categories)).optional().describe('Other categories that it also belongs to.'),
  severity: z.enum(severities),
  confidence: z.enum(confidences),
  judge: z
    .string()
    .nullable()
    .describe(
      'Who decided that it is true: facts, compiler:<name>, test:<id>, build:<command>; null: nobody.',
    ),
  decidedBy: z.enum(['code', 'agent']),
  message: z.string(),
  branches: z.array(Ref).describe('The smallest guilty set.'),
  alsoIn: z
    .array(Ref)
    .optional()
    .describe('Branches that are built on one of these and have the problem from it.'),
  owner: Ref.nullable().describe('Who should move.'),
  ownerReason: z.string(),
  sites: z.array(Site),
  tier: z.enum(tiers),
  witness: Witness,
  suggestion: z.string(),
  fix: z
    .object({ from: z.string(), to: z.string() })
    .optional()
    .describe('A mechanical replacement at the consumer sites.'),
  effect: z
    .enum(effects)
    .describe(
      'stops: the work must not land. asks: it would break, and nobody has judged it. shown: told. hidden: told on request.',
    ),
  refuted: z.string().optional().describe('Green tests that ran all lines that would break.'),
  accepted: z.string().optional().describe('Why a person accepts it.'),
});
export type Finding = z.infer<typeof Finding>;

/** A finding before the project's policy was applied. */
export type FindingBeforePolicy = Omit<Finding, 'effect' | 'accepted'>;

const ids = (what: string) => z.array(z.string()).describe(`${what} Ids of findings of this report.`);

export const Delta = z
  .object({
    fixed: z.array(Finding).describe('Gone, as the earlier report had them.'),
    remaining: ids('In both reports.'),
    new: ids('Not in the earlier report.'),
    regressed: ids('Fixed in an earlier report, back again.'),
    unverified: z
      .array(Finding)
      .describe('Gone, but this check did not look at all it would take to call them fixed.'),
  })
  .describe('What became of the findings since an earlier report, matched by id and never by text.');
export type Delta = z.infer<typeof Delta>;

export const Coverage = z
  .object({
    textOnly: z
      .array(z.object({ ending: z.string(), files: z.int().positive() }))
      .describe(
        'Changed files of languages that are compared as text only, by ending (`.kt`) or name (`Makefile`).',
      ),
    unparsed: z
      .array(z.string())
      .optional()
      .describe(
        'Changed files that do not parse and did not before the branch either: compared as text only. Absent if there are none.',
      ),
    unchecked: z
      .array(z.object({ ending: z.string(), files: z.int().positive() }))
      .optional()
      .describe(
        'Changed files of languages with a type checker or compiler that none of them read. Absent if there are none.',
      ),
    submodules: z
      .array(z.string())
      .optional()
      .describe(
        'Submodules that a branch points to another commit: their files are not read. Absent if there are none.',
      ),
    packages: z
      .array(z.string())
      .describe('Packages from outside that changed files import: what they export is not read.'),
    imports: z.array(z.string()).describe('Imports of changed files that could not be resolved, as written.'),
    classes: z
      .array(z.string())
      .describe('Symbol ids of classes that changed files use and whose members are not all known.'),
  })
  .describe('What the check did not look into: a clean report promises nothing about it.');
export type Coverage = z.infer<typeof Coverage>;

const Symbols = z.array(z.string()).describe('Symbol ids.');

export const SeamRisk = z
  .object({
    clusters: z
      .array(
        z.object({
          id: z.string().describe('The folder most of its files are in.'),
          files: z.int().positive(),
          branches: z.array(Ref).describe('Who changes something in it.'),
        }),
      )
      .describe('Files that belong together, found from who uses what: only those that a branch touches.'),
    overlaps: z
      .array(
        z.object({
          cluster: z.string(),
          branches: z.array(Ref),
          sharedSymbols: Symbols.describe('Changed by one of the two, changed or used by the other.'),
          coordinationEdges: z
            .int()
            .nonnegative()
            .describe('Uses in the code of one branch of what the other changed.'),
          risk: z.enum(['high', 'medium', 'low']),
        }),
      )
      .describe('Pairs of branches that touch one cluster; the riskiest first.'),
    boundaries: z
      .array(z.object({ defines: Ref, consumes: Ref, symbols: Symbols }))
      .describe('What one branch changes and another uses.'),
    highImpact: z
      .array(
        z.object({
          symbol: z.string(),
          changedBy: z.array(Ref),
          isBridge: z.boolean(),
          blastRadius: z.int().nonnegative().describe('Symbols that depend on it, directly or not.'),
          consumers: Symbols.describe('Symbols that use it directly; at most twenty.'),
        }),
      )
      .describe('Changes that many others depend on.'),
    order: z
      .array(Ref)
      .describe('The order of merging that makes the fewest branches follow one that lands later.'),
    resolution: z
      .object({ files: z.int().nonnegative(), symbols: z.int().nonnegative(), uses: z.int().nonnegative() })
      .describe('What the graph was made from.'),
    notes: z.array(z.string()).describe('What was left out, and why.'),
  })
  .describe('Where branches lean on each other: says what to read first, decides nothing.');
export type SeamRisk = z.infer<typeof SeamRisk>;

export const CheckReport = z.object({
  schema: z.literal('joinery/check@1'),
  status: z.enum(verdicts),
  base: z.object({ ref: Ref, commit: ObjectId }),
  branches: z.array(Branch),
  union: z.object({
    tree: ObjectId.nullable(),
    excluded: z.array(Ref),
    conflicts: z.array(z.object({ paths: z.array(z.string()), branches: z.array(Ref) })),
  }),
  landable: z.array(Ref).describe('Can land now, together, in this order.'),
  blocked: z.array(z.object({ ref: Ref, by: z.array(z.string()) })),
  findings: z.array(Finding),
  ignored: z
    .array(z.object({ id: z.string(), rule: z.string(), reason: z.string() }))
    .optional()
    .describe('Findings that the project accepts: an entry of `ignore`, or a rule that is off.'),
  delta: Delta.optional(),
  risk: SeamRisk.optional().describe('With --risk.'),
  opinion: Opinion.optional().describe('With --agent or --agent-report.'),
  inconclusive: z.array(
    z.object({ file: z.string().optional(), check: z.string().optional(), reason: z.string() }),
  ),
  degraded: z.array(z.object({ check: z.string(), reason: z.string() })),
  coverage: Coverage.optional(),
  checkers: z
    .array(
      z.object({
        name: z.string(),
        version: z.string(),
        origin: z
          .enum(['project', 'joinery', 'path'])
          .describe('Whose it is: installed in the project, ours, or on PATH.'),
        project: z.string().describe('Its config file.'),
        runs: z
          .int()
          .nonnegative()
          .describe('Trees it was asked about, also when the answer was kept from before.'),
        unresolvedImports: z
          .int()
          .nonnegative()
          .describe('Imports it could not follow in the union: types behind them are not checked.'),
      }),
    )
    .optional()
    .describe('The type checkers that were asked about unions.'),
  stats: z.record(z.string(), z.number()).describe('Counts only, so that two runs give the same bytes.'),
});
export type CheckReport = z.infer<typeof CheckReport>;
