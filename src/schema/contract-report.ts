import { z } from 'zod';
import { Contract } from './contract.ts';

const Ref = z.string().describe('The argument as typed.');
const Tip = z.object({ ref: Ref, commit: z.string() });

/** Worst last: an item is as good as the worst of its parts. */
export const itemStatuses = ['satisfied', 'undecided', 'partial', 'missing', 'contradicted'] as const;
export type ItemStatus = (typeof itemStatuses)[number];

const Evidence = z.object({
  file: z.string(),
  line: z.int().positive().nullable().describe('null: the file itself.'),
  branch: Ref.describe('Branch that adds it; the base if it existed before.'),
  what: z.string(),
});
export type ContractEvidence = z.infer<typeof Evidence>;

export const ContractItem = z.object({
  kind: z.enum(['entity', 'relationship', 'query', 'question']),
  name: z.string(),
  task: z.string().nullable().describe('The task that creates it; null: the base, or no particular task.'),
  status: z
    .enum(itemStatuses)
    .describe(
      'satisfied: it is there as agreed. partial: some of it is. missing: nothing of it is. contradicted: the code says something else. undecided: what decides it cannot be read.',
    ),
  detail: z.string(),
  evidence: z.array(Evidence),
  brokenBy: z
    .array(Ref)
    .default([])
    .describe('Branches that made it worse: removed a field, changed a signature.'),
});
export type ContractItem = z.infer<typeof ContractItem>;

export const ContractReport = z.object({
  schema: z.literal('joinery/contract-check@1'),
  status: z.enum(['pass', 'fail', 'inconclusive']),
  contract: z.object({ path: z.string(), sha256: z.string().describe('Of its canonical JSON.') }),
  base: Tip,
  branches: z.array(Tip),
  union: z.object({
    tree: z.string(),
    excluded: z.array(z.object({ ref: Ref, paths: z.array(z.string()) })).describe('Did not merge.'),
  }),
  items: z.array(ContractItem),
  counts: z.record(z.enum(itemStatuses), z.int().nonnegative()),
  inconclusive: z.array(z.object({ file: z.string().optional(), reason: z.string() })),
});
export type ContractReport = z.infer<typeof ContractReport>;

const Named = z.object({ name: z.string(), file: z.string().nullable() });

export const ContractDiffReport = z.object({
  schema: z.literal('joinery/contract-diff@1'),
  status: z
    .enum(['same', 'different', 'inconclusive'])
    .describe('inconclusive: a file that differs cannot be read; what is listed holds all the same.'),
  from: Tip,
  to: Tip,
  added: z.array(Named),
  removed: z.array(Named),
  changed: z.array(
    Named.extend({
      changes: z.array(z.string()).describe('One sentence each: "field email is gone".'),
    }),
  ),
  relationships: z.object({ added: z.array(z.string()), removed: z.array(z.string()) }),
  unread: z
    .array(z.object({ file: z.string(), reason: z.string() }))
    .default([])
    .describe('Files that differ and cannot be read.'),
});
export type ContractDiffReport = z.infer<typeof ContractDiffReport>;

export const ContractDraftReport = z.object({
  schema: z.literal('joinery/contract-draft@1'),
  from: Tip,
  contract: Contract,
  file: z.string().nullable().describe('Where it was written; null: nowhere.'),
  unread: z.array(z.object({ file: z.string(), reason: z.string() })),
  leftOut: z
    .array(Named.extend({ reason: z.string() }))
    .default([])
    .describe('What the code of today contradicts itself about: it cannot be frozen.'),
});
export type ContractDraftReport = z.infer<typeof ContractDraftReport>;

export const ContractStubsReport = z.object({
  schema: z.literal('joinery/contract-stubs@1'),
  lang: z.enum(['ts', 'py']),
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })).describe('Entities without a stub.'),
});
export type ContractStubsReport = z.infer<typeof ContractStubsReport>;
