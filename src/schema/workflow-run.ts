import { z } from 'zod';
import type { Verdict } from './verdict.ts';

/** Runs that follow a workflow share the log with runs of plans; their ids distinguish them. */
export const workflowRunPrefix = 'wf-';

/** Why a run took its path. */
export const TraceEntry = z.object({
  kind: z.enum([
    'selected',
    'skipped',
    'entered_pass',
    'exited_loop',
    'max_iterations_reached',
    'jumped',
    'max_jumps_reached',
    'not_told',
  ]),
  step: z.string().describe('Step, or loop@pass::step.'),
  detail: z.string(),
});
export type TraceEntry = z.infer<typeof TraceEntry>;

/** A reason why a step is not accepted. */
export const Blocker = z.object({
  code: z.enum([
    'MISSING_REQUIRED_NOTES',
    'MISSING_REQUIRED_OUTPUT',
    'INVALID_REQUIRED_OUTPUT',
    'ASSESSMENT_FOLLOWUP_REQUIRED',
    'MISSING_CONTEXT_KEY',
    'TODO_LIST_OPEN',
    'CHECK_FAILED',
    'PRECONDITION_FAILED',
    'SELECTION_LIMIT',
  ]),
  /** Its subject: a contract, an assessment, a variable, a check. */
  about: z.string(),
  message: z.string(),
  fix: z.string().describe('What to do, with a filled-in example where there is one.'),
});
export type Blocker = z.infer<typeof Blocker>;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const FrameData = z.object({
  index: z.int().nonnegative(),
  pass: z.int().nonnegative(),
  decision: z.enum(['continue', 'stop']).optional(),
  jumps: z.record(z.string(), z.int().positive()).optional(),
});

/** What was submitted for a step. */
export const StepOutput = z.object({
  notes: Sha256.nullable(),
  artifacts: z.array(z.object({ kind: z.string(), sha256: Sha256, bytes: z.int() })),
});
export type StepOutput = z.infer<typeof StepOutput>;

export const CheckOutcome = z.object({
  kind: z.enum(['gates', 'ground', 'check', 'command']),
  status: z.enum(['pass', 'fail', 'inconclusive']),
  summary: z.string(),
  evidence: z.array(z.string()).describe('Ids of evidence that was recorded, or paths of logs.'),
});
export type CheckOutcome = z.infer<typeof CheckOutcome>;

/** The outcome of a step's check in the words of workflows. */
export function outcomeOf(status: Verdict): CheckOutcome['status'] {
  return status === 'undecided' ? 'inconclusive' : status;
}

export const GateVerdict = z.object({
  verdict: z.enum(['approved', 'rejected', 'uncertain']),
  rationale: z.string(),
  by: z.string().describe('person, or the agent that evaluated.'),
});
export type GateVerdict = z.infer<typeof GateVerdict>;

const RecordedLevel = z.object({
  assessment: z.string(),
  dimension: z.string(),
  level: z.string(),
  given: z.string().nullable().describe('As it was written, when that is not the level itself.'),
});

export const workflowModes = ['interactive', 'autonomous'] as const;

export const WorkflowStarted = z.object({
  workflow: z.string(),
  name: z.string(),
  version: z.string(),
  hash: z.string(),
  source: z.object({ kind: z.string(), path: z.string().nullable() }),
  goal: z.string(),
  mode: z.enum(workflowModes),
  workspace: z.string(),
  branch: z.string().nullable(),
  head: z.string().nullable(),
  parent: z.object({ run: z.string(), node: z.int() }).nullable(),
  importedFrom: z.string().optional().describe('The run it was exported from.'),
});
export type WorkflowStarted = z.infer<typeof WorkflowStarted>;

export const nodeKinds = ['step', 'blocked', 'gate', 'checkpoint', 'complete', 'stopped'] as const;

/** A position that a run has reached. Its number is that of the event. */
export const WorkflowNode = z.object({
  kind: z.enum(nodeKinds),
  cause: z.enum([
    'started',
    'advanced',
    'forked',
    'blocked',
    'parked',
    'approved',
    'rejected',
    'uncertain',
    'checkpoint',
  ]),
  parent: z.int().positive().nullable(),
  position: z.array(FrameData).min(1).nullable().describe('null: behind the last step.'),
  step: z.string().nullable(),
  context: Sha256,
  output: StepOutput.nullable().describe('What was handed in for the parent.'),
  hasNotes: z.boolean().describe('Notes exist on this branch.'),
  streak: z.int().nonnegative().describe('Blocked answers in a row.'),
  rejections: z.int().nonnegative().describe('How often a gate refused this step.'),
  reason: z.string().nullable().describe('Why a gate refused it.'),
  blockers: z.array(Blocker).default([]),
  levels: z.array(RecordedLevel).default([]),
  check: CheckOutcome.nullable().default(null),
  gate: z.object({ kind: z.string() }).nullable().default(null),
  verdict: GateVerdict.nullable().default(null),
  trace: z.array(TraceEntry).default([]),
});
export type WorkflowNode = z.infer<typeof WorkflowNode>;

export const WorkflowDelegated = z.object({
  node: z.int().positive(),
  children: z.array(
    z.object({
      run: z.string(),
      workflow: z.string(),
      mode: z.enum(['read', 'edit']),
      isolation: z.enum(['full', 'task-only', 'blind']),
      dropped: z.array(z.string()).describe('Variables that did not reach it.'),
    }),
  ),
});

const workflowErrorCodes = [
  'TOKEN_INVALID_FORMAT',
  'TOKEN_BAD_SIGNATURE',
  'TOKEN_KEY_RETIRED',
  'TOKEN_SCOPE_MISMATCH',
  'TOKEN_UNKNOWN_NODE',
  'TOKEN_WORKFLOW_HASH_MISMATCH',
  'TOKEN_SESSION_LOCKED',
  'SESSION_NOT_HEALTHY',
  'VALIDATION_ERROR',
  'NOT_FOUND',
  'PRECONDITION_FAILED',
] as const;
export type WorkflowErrorCode = (typeof workflowErrorCodes)[number];

const PendingStep = z.object({
  stepId: z.string(),
  instance: z.string(),
  title: z.string(),
  prompt: z.string(),
  agentRole: z.string().optional(),
  modelTier: z.string().optional(),
});

/** The answer to `start` and `continue`; recorded, so that a repeated call gets the same bytes. */
/** What a person submits for a step, as one line of JSON. */
export const HandedIn = z.strictObject({
  notes: z.string().nullable().default(null),
  artifacts: z.array(z.record(z.string(), z.unknown())).default([]),
  context: z.record(z.string(), z.unknown()).default({}),
});
export type HandedIn = z.infer<typeof HandedIn>;

export const WorkflowAnswer = z.object({
  schema: z.literal('joinery/workflow-answer@1'),
  kind: z.enum(['ok', 'blocked', 'gate_checkpoint', 'stopped']),
  sessionId: z.string().describe('The run.'),
  nodeId: z.string(),
  workflowId: z.string(),
  workflowHash: z.string(),
  isComplete: z.boolean(),
  pending: PendingStep.nullable(),
  continueToken: z.string().nullable(),
  checkpointToken: z.string().nullable(),
  resumeToken: z.string(),
  nextIntent: z.enum([
    'perform_pending_then_continue',
    'await_user_confirmation',
    'rehydrate_only',
    'complete',
  ]),
  nextCall: z.object({ tool: z.string(), params: z.record(z.string(), z.unknown()) }).nullable(),
  retryable: z.boolean().optional(),
  blockers: z.array(Blocker).optional(),
  gate: z.object({ stepId: z.string(), gateKind: z.string(), rationale: z.string().nullable() }).optional(),
  warnings: z.array(z.string()),
  references: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        source: z.string(),
        purpose: z.string(),
        isFound: z.boolean(),
      }),
    )
    .optional(),
});
export type WorkflowAnswer = z.infer<typeof WorkflowAnswer>;
