import { z } from 'zod';

/** What a gate proves, and what a claim can be about. In the order in which gates run: the cheap ones first. */
export const gateKinds = ['lint', 'typecheck', 'build', 'test'] as const;
export const GateKind = z.enum(gateKinds);
export type GateKind = z.infer<typeof GateKind>;

const Subsystem = z.string().min(1).max(80);

/** Config section `gates`. */
export const GateSettings = z.object({
  commands: z
    .array(
      z.object({
        kind: GateKind,
        run: z.string().min(1).describe('A command line for the shell, run at the top of the worktree.'),
        subsystem: Subsystem.optional().describe('Default: it always runs.'),
        timeoutSeconds: z.int().positive().optional(),
      }),
    )
    .optional()
    .describe('Gates, instead of the section "Quality Gates" of AGENTS.md or CLAUDE.md.'),
  subsystems: z
    .record(Subsystem, z.array(z.string().min(1)).min(1))
    .default({})
    .describe('Globs of the files of each subsystem: { "backend": ["services/api/**"] }.'),
  timeoutSeconds: z.int().positive().default(600).describe('Longest time one gate may take.'),
  logBytes: z
    .int()
    .min(10_000)
    .default(16 * 1024 * 1024)
    .describe('How much of the output of a gate is kept.'),
});
export type GateSettings = z.infer<typeof GateSettings>;

/** One command that has to succeed. */
export const Gate = z.object({
  id: z.string().describe('`lint`, `backend/test`, `test~2`.'),
  kind: GateKind,
  command: z.string(),
  subsystem: z.string().nullable().describe('Null: it always runs.'),
  timeoutMs: z.int().positive(),
  origin: z.string().describe('Where it is defined: AGENTS.md:12.'),
});
export type Gate = z.infer<typeof Gate>;

/** The gates of one commit. */
export interface GateDefinitions {
  readonly commit: string;
  /** The file that defines them; null when there are none. */
  readonly file: string | null;
  readonly gates: readonly Gate[];
  /** Globs by subsystem. */
  readonly subsystems: Readonly<Record<string, readonly string[]>>;
}

export const GateMode = z.enum(['fast', 'full']);
export type GateMode = z.infer<typeof GateMode>;

export const TestResults = z.object({
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  failing: z.array(z.string()).describe('Names of failing tests, as far as the output holds them.'),
  hasAllNames: z.boolean().describe('Whether every failing test is named.'),
  readers: z.array(z.string()).describe('Which readers understood the output.'),
});
export type TestResults = z.infer<typeof TestResults>;
