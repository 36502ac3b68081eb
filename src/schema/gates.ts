import { z } from 'zod';
import { memoryLimit } from './agent.ts';
import { Globs } from './glob.ts';
import { severities } from './vocabulary.ts';

/** What a claim can be about, in the order in which gates run: cheap ones first. */
export const claimKinds = ['lint', 'typecheck', 'build', 'test'] as const;
/** What a gate proves. `other`: only that its command ended well. */
export const gateKinds = [...claimKinds, 'other'] as const;
export const GateKind = z.enum(gateKinds);
export type GateKind = z.infer<typeof GateKind>;

const Subsystem = z.string().min(1).max(80);

/** Config section `gates`. */
export const GateSettings = z.object({
  commands: z
    .array(
      z.object({
        kind: GateKind,
        name: z.string().min(1).max(60).optional().describe('Default: its kind.'),
        run: z.string().min(1).describe('A command line for the shell, run at the top of the worktree.'),
        subsystem: Subsystem.optional().describe('Default: it always runs.'),
        timeoutSeconds: z.int().positive().optional(),
        network: z.boolean().optional().describe('It may use the network. Default: no.'),
      }),
    )
    .optional()
    .describe('Gates, instead of the section "Quality Gates" of AGENTS.md or CLAUDE.md.'),
  subsystems: z
    .record(Subsystem, Globs.min(1))
    .default({})
    .describe('Globs of the files of each subsystem: { "backend": ["services/api/**"] }.'),
  env: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Variables that gates, criteria and installs of a run get in addition to the general ones: ["DATABASE_URL", "MY_*"].',
    ),
  timeoutSeconds: z.int().positive().default(600).describe('Longest time one gate may take.'),
  minutes: z
    .number()
    .positive()
    .optional()
    .describe(
      'Longest time the tests may take on a result that would land. Default: three times as long as the last time, at least 10.',
    ),
  logBytes: z
    .int()
    .min(10_000)
    .default(16 * 1024 * 1024)
    .describe('How much of the output of a gate is kept.'),
  memoryBytes: memoryLimit,
  network: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Gates that may use the network, by id: ["test", "backend/test"]. All others have none where work runs contained.',
    ),
});
export type GateSettings = z.infer<typeof GateSettings>;

/** One command that has to succeed. */
export const Gate = z.object({
  id: z.string().describe('`lint`, `backend/test`, `test~2`.'),
  kind: GateKind,
  command: z.string(),
  subsystem: z.string().nullable().describe('Null: it always runs.'),
  timeoutMs: z.int().positive(),
  origin: z.string().describe('Where it is defined: AGENTS.md:12, package.json.'),
  isFound: z
    .literal(true)
    .optional()
    .describe('The project does not write it down as a gate: its manifest says it.'),
  network: z.literal(true).optional().describe('It may use the network.'),
});
export type Gate = z.infer<typeof Gate>;

/** A place that says how a project is tested. */
export const TestOrigin = z.object({
  origin: z.string(),
  command: z.string(),
  use: z
    .enum(['chosen', 'other', 'offered', 'proposal'])
    .describe(
      'chosen: it runs. other: something else counts first. offered: a script that no gate runs. proposal: a line of CI, which never runs here.',
    ),
});
export type TestOrigin = z.infer<typeof TestOrigin>;

/** The gates of one commit. */
export interface GateDefinitions {
  readonly commit: string;
  /** The file that defines them; null when there are none. */
  readonly file: string | null;
  readonly gates: readonly Gate[];
  /** Globs by subsystem. */
  readonly subsystems: Readonly<Record<string, readonly string[]>>;
  /** Everything that says how the project is tested, what counts first. */
  readonly sources: readonly TestOrigin[];
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

const ObjectId = z.string().regex(/^[0-9a-f]{40,64}$/);

/** A fact recorded by Joinery's runner. */
export const Evidence = z.object({
  schema: z.literal('joinery/evidence@1'),
  id: z.string(),
  at: z.iso.datetime(),
  claim: GateKind,
  gate: z.string().nullable().describe('Id of the gate; null for any other command.'),
  command: z.string(),
  tree: ObjectId.describe('Git tree of the worktree when the command started, without ignored files.'),
  treeAfter: ObjectId.describe('The same when it had ended.'),
  contained: z.enum(['bubblewrap', 'none']).optional().describe('What kept it from the rest of the machine.'),
  refused: z
    .array(z.string())
    .optional()
    .describe('What its output says was refused, when it ran contained and failed.'),
  outcome: z.enum(['exited', 'timeout', 'cancelled', 'not-started']),
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  log: z.object({
    file: z.string(),
    bytes: z.int(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    isCut: z.boolean().describe('The middle is missing.'),
  }),
  tests: TestResults.nullable().describe('Null when no reader understood the output.'),
  markers: z.array(z.string()).describe('Lines that report a failure, regardless of the exit code.'),
  incidents: z.array(z.string()).describe('Processes left behind, signals to its guard, a changed worktree.'),
  tools: z.record(z.string(), z.string()).describe('Versions of what took part.'),
  wallMs: z.int().nonnegative(),
  run: z.string().nullable(),
  task: z.string().nullable(),
  attempt: z.int().nullable(),
});
export type Evidence = z.infer<typeof Evidence>;

export const GateResult = z.object({
  gate: Gate,
  status: z.enum(['pass', 'fail', 'warn', 'inconclusive', 'skipped']),
  reason: z.string().describe('In one line; empty for a plain pass.'),
  evidence: z.string().nullable().describe('Id of the evidence.'),
  tools: z.record(z.string(), z.string()).describe('Versions of what took part.'),
  tree: ObjectId.nullable(),
  exitCode: z.int().nullable(),
  wallMs: z.int(),
  tests: TestResults.nullable(),
  newFailures: z.array(z.string()).describe('Failing tests that did not fail on the base commit.'),
  knownFailures: z.array(z.string()).describe('Failing tests that failed on the base commit too.'),
  flaky: z
    .array(z.string())
    .describe('Tests that both failed and passed on the same tree: no proof either way.'),
  log: z.object({ file: z.string(), sha256: z.string(), excerpt: z.array(z.string()) }).nullable(),
});
export type GateResult = z.infer<typeof GateResult>;

export const SyntaxReport = z.object({
  status: z.enum(['pass', 'fail']),
  files: z.int().describe('Changed files in a language that is known.'),
  errors: z.array(z.object({ file: z.string(), line: z.int(), message: z.string() })),
});
export type SyntaxReport = z.infer<typeof SyntaxReport>;

export const GatesReport = z.object({
  schema: z.literal('joinery/gates@1'),
  status: z.enum(['pass', 'fail', 'inconclusive']),
  mode: GateMode,
  base: ObjectId.describe('Commit the gates are defined in.'),
  file: z.string().nullable().describe('The file that defines them.'),
  worktree: z.string(),
  run: z.string().nullable(),
  task: z.string().nullable(),
  ground: z
    .object({
      status: z.enum(['pass', 'fail', 'inconclusive']),
      findings: z.array(
        z.object({ check: z.string(), severity: z.enum(severities), message: z.string(), hint: z.string() }),
      ),
    })
    .nullable()
    .describe(
      'Of a task with --full: what is asked without running anything. When it fails, the gates do not run.',
    ),
  syntax: SyntaxReport.describe('Whether changed files parse; needs no command.'),
  gates: z.array(GateResult),
  containment: z.string().optional().describe('How they ran: contained (bubblewrap …), not contained (why).'),
  sources: z
    .array(TestOrigin)
    .default([])
    .describe('Everything that says how the project is tested, what counts first.'),
});
export type GatesReport = z.infer<typeof GatesReport>;

export const ClaimVerdict = z.object({
  claim: GateKind,
  text: z.string().nullable().describe('The sentence that claims it; null when asked for by name.'),
  status: z.enum(['pass', 'fail']),
  reason: z.string().nullable().describe('Why it is not proven: missing, stale, no-tests, failure-marker…'),
  detail: z.string(),
  hint: z.string().describe('The next command to type.'),
  evidence: z.string().nullable(),
  command: z.string().nullable(),
});
export type ClaimVerdict = z.infer<typeof ClaimVerdict>;

export const EvidenceCheckReport = z.object({
  schema: z.literal('joinery/evidence-check@1'),
  status: z.enum(['pass', 'fail']),
  tree: ObjectId.describe('Git tree of the worktree as it is now.'),
  claims: z.array(ClaimVerdict),
});
export type EvidenceCheckReport = z.infer<typeof EvidenceCheckReport>;

export const EvidenceRunReport = z.object({
  schema: z.literal('joinery/evidence-run@1'),
  status: z.enum(['pass', 'fail']),
  reason: z.string().nullable(),
  detail: z.string(),
  evidence: Evidence,
});
export type EvidenceRunReport = z.infer<typeof EvidenceRunReport>;

/** A gate of an attempt in the log of its run: the claim and its evidence. */
export const ProvenClaim = z.object({
  claim: GateKind,
  gate: z.string(),
  command: z.string(),
  status: GateResult.shape.status,
  reason: z.string(),
  evidence: z.string().nullable().describe('Id of the record in the evidence of the repository.'),
  tree: ObjectId.nullable(),
  exitCode: z.int().nullable(),
  log: z.string().nullable().describe('SHA-256 of the log.'),
  tests: TestResults.pick({ passed: true, failed: true, skipped: true }).nullable(),
  newFailures: z.array(z.string()),
  flaky: z.array(z.string()),
  tools: z.record(z.string(), z.string()),
});
export type ProvenClaim = z.infer<typeof ProvenClaim>;

/** What the programs of a task may know about their work without reading the run's log, which a sandbox may not open. */
export const Work = z.object({
  v: z.literal(1),
  run: z.string(),
  task: z.string(),
  attempt: z.int().positive(),
  worktree: z.string(),
  rules: ObjectId.describe('Commit that gates and settings are read from.'),
  base: ObjectId.describe('Commit the work is compared with.'),
  declared: z.array(z.string()),
});
export type Work = z.infer<typeof Work>;
