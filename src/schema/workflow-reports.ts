import { z } from 'zod';
import { severities } from './vocabulary.ts';
import { Blocker, CheckOutcome, GateVerdict, nodeKinds, TraceEntry, workflowModes } from './workflow-run.ts';

/** The JSON of `joinery workflow`. */

export const WorkflowProblem = z.object({
  file: z.string(),
  path: z.string().describe('Where in the document: steps[2].prompt. Empty: the document itself.'),
  rule: z.string(),
  severity: z.enum(severities),
  message: z.string(),
});
export type WorkflowProblem = z.infer<typeof WorkflowProblem>;

export const WorkflowEntry = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.string(),
  source: z.enum(['project', 'user', 'extra', 'bundled']),
  file: z.string(),
  isRoutine: z.boolean(),
  isUsable: z.boolean(),
  hash: z.string(),
  tags: z.array(z.string()),
  examples: z.array(z.string()),
});
export type WorkflowEntry = z.infer<typeof WorkflowEntry>;

export const WorkflowListReport = z.object({
  schema: z.literal('joinery/workflow-list@1'),
  workflows: z.array(WorkflowEntry),
});
export type WorkflowListReport = z.infer<typeof WorkflowListReport>;

export const WorkflowValidateReport = z.object({
  schema: z.literal('joinery/workflow-validate@1'),
  status: z.enum(['pass', 'fail']),
  files: z.array(z.string()),
  problems: z.array(WorkflowProblem),
});
export type WorkflowValidateReport = z.infer<typeof WorkflowValidateReport>;

/** One line of the outline of a workflow. */
export const OutlineStep = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['step', 'parallel', 'check', 'loop']),
  depth: z.int().nonnegative(),
  condition: z.string().nullable(),
  notes: z.array(z.string()).describe('Contract, assessments, confirmation, limit of a loop.'),
  jumpsTo: z.string().nullable(),
});
export type OutlineStep = z.infer<typeof OutlineStep>;

export const WorkflowShowReport = z.object({
  schema: z.literal('joinery/workflow-show@1'),
  workflow: WorkflowEntry,
  steps: z.array(OutlineStep),
  preconditions: z.array(z.string()),
  bindings: z.record(z.string(), z.string()),
});
export type WorkflowShowReport = z.infer<typeof WorkflowShowReport>;

export const WorkflowNewReport = z.object({ schema: z.literal('joinery/workflow-new@1'), file: z.string() });

const ListedWorkflowRun = z.object({
  run: z.string(),
  workflow: z.string(),
  name: z.string(),
  goal: z.string(),
  status: z.enum(['running', 'blocked', 'awaiting_human', 'done', 'failed']),
  step: z.string().nullable(),
  branch: z.string().nullable(),
  head: z.string().nullable(),
  parent: z.string().nullable().describe('The run that delegated to it.'),
  createdAt: z.string(),
  updatedAt: z.string(),
  node: z.int(),
});

export const WorkflowRunsReport = z.object({
  schema: z.literal('joinery/workflow-runs@1'),
  runs: z.array(ListedWorkflowRun),
});
export type WorkflowRunsReport = z.infer<typeof WorkflowRunsReport>;

export const WorkflowStatusReport = z.object({
  schema: z.literal('joinery/workflow-status@1'),
  run: z.string(),
  workflow: z.string(),
  hash: z.string(),
  goal: z.string(),
  mode: z.enum(workflowModes),
  startedAt: z.string(),
  parent: z.string().nullable(),
  children: z.array(z.string()),
  nodes: z.array(
    z.object({
      node: z.string(),
      parent: z.string().nullable(),
      kind: z.enum(nodeKinds),
      cause: z.string(),
      step: z.string().nullable(),
      at: z.string(),
      notes: z.string().nullable().describe('What was handed in for the parent.'),
      artifacts: z.array(z.unknown()),
      blockers: z.array(Blocker),
      check: CheckOutcome.nullable(),
      verdict: GateVerdict.nullable(),
      trace: z.array(TraceEntry),
    }),
  ),
  tips: z.array(z.string()).describe('Ends of branches, the one to go on with first.'),
});
export type WorkflowStatusReport = z.infer<typeof WorkflowStatusReport>;

export const WorkflowSearchReport = z.object({
  schema: z.literal('joinery/workflow-search@1'),
  candidates: z.array(
    ListedWorkflowRun.extend({
      tier: z.int(),
      confidence: z.enum(['strong', 'medium', 'weak']),
      whyMatched: z.array(z.string()),
    }),
  ),
  totalEligible: z.int(),
});
export type WorkflowSearchReport = z.infer<typeof WorkflowSearchReport>;
