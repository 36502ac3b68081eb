import { z } from 'zod';
import { ContractChange } from './contract.ts';

/** A reference to the output of another step, a profile document or a source file. */
export const Ref = z.object({
  artifact: z.string().min(1).describe('step/file@hash, profile document or source path.'),
  section: z.string().optional(),
  lines: z.tuple([z.int().positive(), z.int().positive()]).optional(),
});
export type Ref = z.infer<typeof Ref>;

/** The one typed claim of an attempt. Everything in it is what the agent says, not an established fact. */
export const Handoff = z.object({
  v: z.literal(1),
  run: z.string(),
  step: z.string(),
  attempt: z.int().positive(),
  role: z.string(),
  consumed: z.array(z.object({ ref: Ref, usedFor: z.string() })),
  produced: z.array(z.object({ ref: Ref, to: z.array(z.string()) })),
  decisions: z.array(z.object({ what: z.string(), why: z.string(), covers: Ref.optional() })),
  assumptions: z.array(z.object({ text: z.string(), ifFalse: z.string().optional(), verified: z.boolean() })),
  corrected: z.array(z.object({ assumed: z.string(), actual: z.string() })).optional(),
  limitations: z.array(z.string()),
  files: z.array(z.string()),
  tests: z.array(z.string()),
  status: z.enum(['done', 'blocked']).optional().describe('Default: done.'),
  blocker: z.string().min(1).optional().describe('What a person has to decide or provide.'),
  amends: z
    .array(z.object({ file: z.string().min(1), reason: z.string().min(1) }))
    .optional()
    .describe('Files beyond the declared ones that had to be changed, each with the reason.'),
  contractChanges: z
    .array(ContractChange)
    .max(20)
    .optional()
    .describe('Changes of the contract that the task needs; a person or the policy of the run decides.'),
  typed: z
    .looseObject({ kind: z.string().min(1) })
    .optional()
    .describe('A typed claim of a whole phase, as its contract has it: see docs/handoffs.md.'),
  signals: z
    .array(
      z.object({
        kind: z.enum(['referenced', 'conflicted', 'deferred']),
        with: z.string(),
        note: z.string(),
      }),
    )
    .optional(),
});
export type Handoff = z.infer<typeof Handoff>;

/** The format of a handoff. */
export const HandoffForm = z.enum(['json', 'markdown', 'typed']);
export type HandoffForm = z.infer<typeof HandoffForm>;

/** Work of one task that another says it used. */
export const HandoffEdge = z.object({
  from: z.string().describe('The task that made it.'),
  to: z.string().describe('The task that cites it.'),
  ref: z.string(),
  sha256: z.string().nullable().describe('Of the artifact; null for a file of the worktree.'),
});
export type HandoffEdge = z.infer<typeof HandoffEdge>;

/** A flaw of a handoff that does not make it unusable. */
export const HandoffRemark = z.object({
  flag: z.enum(['UNKNOWN_ADDRESSEE', 'ORPHAN', 'FABRICATION', 'MISSING_FILE']),
  message: z.string(),
});
export type HandoffRemark = z.infer<typeof HandoffRemark>;

export const HandoffQuality = z.enum(['full', 'partial', 'fallback']);
export type HandoffQuality = z.infer<typeof HandoffQuality>;

/** Shown to an agent whose handoff was refused: the smallest valid record. */
export function exampleHandoff(run: string, step: string, attempt: number, role: string): Handoff {
  return {
    v: 1,
    run,
    step,
    attempt,
    role,
    consumed: [],
    produced: [],
    decisions: [{ what: 'what was decided', why: 'the reason' }],
    assumptions: [{ text: 'what was taken for granted', verified: false }],
    limitations: [],
    files: ['src/changed-file.ts'],
    tests: [],
  };
}
