import { z } from 'zod';
import { CheckReport } from './check-report.ts';
import { RunEventSchema } from './event.ts';
import { ProvenClaim } from './gates.ts';
import { GroundCheck } from './grounding.ts';
import {
  AttemptFinding,
  AttemptOutcome,
  CheckResult,
  Incident,
  Question,
  RunStatus,
  StepStatus,
  Verdict,
} from './run.ts';
import { Budget, Spending } from './spending.ts';
import { OutlineStep, WorkflowStatusReport } from './workflow-reports.ts';

/** What the dashboard and other clients read over HTTP. Everything is derived from the journal and git on request. */

const At = z.iso.datetime();

export const RunRow = z.object({
  run: z.string(),
  title: z.string().describe('The spec of the run, else its first task.'),
  status: RunStatus,
  createdAt: At,
  at: At.describe('Of its last event.'),
  accepted: z.int(),
  failed: z.int().describe('Tasks that failed or wait for a person.'),
  tasks: z.int(),
  questions: z.int().describe('Open ones.'),
  holder: z.string().nullable().describe('The process that drives it now.'),
  usd: z.number(),
  tokens: z.number(),
});
export type RunRow = z.infer<typeof RunRow>;

export const BranchRow = z.object({
  ref: z.string(),
  commit: z.string(),
  subject: z.string(),
  author: z.string(),
  at: z.string(),
  ahead: z.int().describe('Commits that the default branch does not have.'),
  state: z
    .enum(['unknown', 'stale', 'fits', 'blocked'])
    .describe(
      'By the last check: unknown when it did not name the branch, stale when the branch, the base or another branch of that check has moved since.',
    ),
  findings: z.int().describe('Findings of the last check that name it.'),
});
export type BranchRow = z.infer<typeof BranchRow>;

export const WorkflowRow = z.object({
  run: z.string(),
  workflow: z.string(),
  goal: z.string(),
  status: z.enum(['running', 'blocked', 'awaiting_human', 'done', 'failed']),
  step: z.string().nullable().describe('Where it stands.'),
  parent: z.string().nullable().describe('The run that delegated to it.'),
  createdAt: At,
  at: At.describe('Of its last step.'),
});
export type WorkflowRow = z.infer<typeof WorkflowRow>;

export const InboxItem = z.object({
  kind: z.enum(['question', 'gate', 'task', 'finding']),
  title: z.string(),
  detail: z.string(),
  run: z.string().nullable(),
  task: z.string().nullable(),
  question: Question.nullable(),
  finding: z.string().nullable().describe('Id of a blocking finding of the last check.'),
  at: At.nullable(),
});
export type InboxItem = z.infer<typeof InboxItem>;

export const VisitorRow = z.object({
  agent: z.string(),
  session: z.string(),
  folder: z.string(),
  since: At,
  at: At.describe('When it was last heard of.'),
  doing: z.string(),
  isGone: z.boolean(),
  tools: z.int().describe('How often it used one.'),
  files: z.array(z.string()).describe('The last files it worked on.'),
});
export type VisitorRow = z.infer<typeof VisitorRow>;

const LastCheck = z.object({
  status: CheckReport.shape.status,
  at: At,
  findings: z.int(),
  branches: z.int(),
});

export const RepositoryRow = z.object({
  key: z.string().describe('Its part of an address: /api/v1/repositories/{repository}/home.'),
  name: z.string(),
  path: z.string(),
  isHere: z.boolean().describe('The server was started in it: its addresses work without the key, too.'),
  at: At.describe('When something about it was last written.'),
  runs: z.int(),
  working: z.int().describe('Runs that a process drives now.'),
  waiting: z.int().describe('What needs a person.'),
  inbox: z.array(InboxItem).describe('The first of what needs a person.'),
  check: LastCheck.nullable(),
  problem: z.string().nullable().describe('Why it cannot be read; the other fields are empty then.'),
});
export type RepositoryRow = z.infer<typeof RepositoryRow>;

export const RepositoryList = z.object({
  schema: z.literal('joinery/repositories@1'),
  version: z.string(),
  repositories: z.array(RepositoryRow).describe('The one the server was started in, then those used last.'),
});
export type RepositoryList = z.infer<typeof RepositoryList>;

export const HomeView = z.object({
  schema: z.literal('joinery/home@1'),
  repository: z.object({
    key: z.string(),
    name: z.string(),
    path: z.string(),
    base: z.string().nullable(),
  }),
  version: z.string(),
  runs: z.array(RunRow),
  workflows: z.array(WorkflowRow).describe('Runs that follow a workflow, newest first.'),
  damaged: z
    .array(z.object({ run: z.string(), reason: z.string() }))
    .describe('Runs whose log cannot be read; the others are not touched by that.'),
  branches: z.array(BranchRow),
  inbox: z.array(InboxItem),
  visitors: z.array(VisitorRow).describe('Agents that Joinery did not start, of the last day.'),
  check: LastCheck.nullable().describe('The last check of this repository.'),
});
export type HomeView = z.infer<typeof HomeView>;

export const AttemptRow = z.object({
  n: z.int(),
  driver: z.string(),
  tier: z.string(),
  model: z.string().nullable(),
  startedAt: At,
  endedAt: At.nullable(),
  outcome: AttemptOutcome.nullable(),
  verdict: Verdict.nullable(),
  quality: z.string().nullable().describe('Of the handoff.'),
  findings: z.array(AttemptFinding),
  incidents: z.array(Incident),
  claims: z.array(ProvenClaim).describe('What gates showed.'),
  grounding: z.object({ status: CheckResult.shape.status, checks: z.array(GroundCheck) }).nullable(),
  failure: z.object({ class: z.string(), why: z.string() }).nullable(),
  usage: Spending,
  commit: z.string().nullable(),
  tool: z.string().describe('What the agent does now.'),
  prompt: z
    .object({
      sha256: z.string(),
      mode: z.string(),
      bytes: z.int(),
      included: z.array(z.string()),
      dropped: z.array(z.string()),
    })
    .nullable(),
});
export type AttemptRow = z.infer<typeof AttemptRow>;

export const TaskRow = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  dependsOn: z.array(z.string()),
  files: z.array(z.string()),
  status: StepStatus,
  reason: z.string(),
  branch: z.string(),
  commit: z.string().nullable(),
  doing: z.string(),
  waitsFor: z.array(z.string()),
  usd: z.number(),
  tokens: z.number(),
  attempts: z.array(AttemptRow),
});
export type TaskRow = z.infer<typeof TaskRow>;

export const RunView = z.object({
  schema: z.literal('joinery/run-view@1'),
  run: z.string(),
  title: z.string(),
  status: RunStatus,
  reason: z.string(),
  base: z.string(),
  baseRef: z.string(),
  createdAt: At,
  at: At,
  seq: z.int().describe('Number of the last event it includes.'),
  isHalted: z.boolean(),
  holder: z.string().nullable(),
  integration: z.object({ branch: z.string(), commit: z.string() }),
  phases: z
    .array(z.object({ phase: z.string(), status: z.enum(['begun', 'done', 'failed']), detail: z.string() }))
    .describe('Before and after the tasks, oldest first.'),
  landed: z.object({ ref: z.string(), before: z.string(), after: z.string() }).nullable(),
  tasks: z.array(TaskRow),
  questions: z.array(Question.extend({ answer: z.string().nullable() })),
  degraded: z.array(z.string()),
  cost: Spending,
  budget: Budget,
  next: z.array(z.string()).describe('Commands a person can type now.'),
});
export type RunView = z.infer<typeof RunView>;

export const WorkflowView = WorkflowStatusReport.omit({ schema: true }).extend({
  schema: z.literal('joinery/workflow-view@1'),
  name: z.string(),
  status: WorkflowRow.shape.status,
  steps: z.array(OutlineStep).describe('Of the workflow the run started with.'),
  gate: z
    .object({
      node: z.string(),
      step: z.string().nullable(),
      kind: z.string(),
      rationale: z.string().nullable(),
    })
    .nullable()
    .describe('Where it waits for a decision.'),
  next: z.array(z.string()).describe('Commands a person can type now.'),
});
export type WorkflowView = z.infer<typeof WorkflowView>;

export const EventPage = z.object({
  schema: z.literal('joinery/events@1'),
  run: z.string(),
  events: z.array(RunEventSchema),
  isLast: z.boolean(),
});
export type EventPage = z.infer<typeof EventPage>;

/** One message of the stream. Its id is the position in the journal. */
export const StreamMessage = z.object({ run: z.string(), event: RunEventSchema });
export type StreamMessage = z.infer<typeof StreamMessage>;

const FrameView = z.object({
  branch: z.string(),
  file: z.string(),
  removed: z.boolean(),
  firstLine: z.int(),
  lines: z.array(z.string()),
  line: z.int(),
  column: z.int(),
  role: z.enum(['provider', 'consumer']),
});

export const CheckView = z.object({
  schema: z.literal('joinery/check-view@1'),
  at: At,
  repository: z.string(),
  report: CheckReport,
  frames: z.record(z.string(), z.array(FrameView)).describe('Code at both sides, by finding id.'),
});
export type CheckView = z.infer<typeof CheckView>;

export const DiffView = z.object({
  schema: z.literal('joinery/diff@1'),
  from: z.string(),
  to: z.string(),
  text: z.string().describe('A unified diff.'),
  isCut: z.boolean().describe('True when it was longer than the limit; whole files are left out at the end.'),
});
export type DiffView = z.infer<typeof DiffView>;

/** Every write has an id that its sender chose: sent twice, it counts once. */
const Write = z.object({ id: z.string().regex(/^[\w-]{8,64}$/) });

export const AnswerWrite = Write.extend({
  question: z.string(),
  answer: z.string(),
  text: z.string().max(20_000).optional().describe('For the agent that tries again.'),
});
export const RetryWrite = Write.extend({ task: z.string(), context: z.string().max(20_000) });
export const SteerWrite = Write.extend({ task: z.string(), text: z.string().min(1).max(20_000) });
export const StopWrite = Write.extend({ task: z.string(), reason: z.string().max(2000).default('') });
export const RunWrite = Write.extend({
  spec: z
    .string()
    .min(1)
    .max(1000)
    .describe('Path of a spec, from the top of the repository; a plan ends in .json.'),
  agent: z.string().max(64).optional().describe('Who does the work; default: as configured.'),
});
export const GateWrite = Write.extend({
  node: z
    .string()
    .regex(/^n\d+$/)
    .describe('The gate that is meant: a later one is not decided by it.'),
  verdict: z.enum(['approved', 'rejected']),
  rationale: z.string().max(20_000).default(''),
});
export const BudgetWrite = Write.extend({ budget: Budget });
export const CheckWrite = Write.extend({
  base: z.string().optional(),
  branches: z.array(z.string()).max(500).default([]),
});
export { Write };

export const Accepted = z.object({
  schema: z.literal('joinery/accepted@1'),
  id: z.string(),
  isDriven: z.boolean().describe('False if no process drives the run: joinery resume handles the request.'),
});
export type Accepted = z.infer<typeof Accepted>;

export const Started = z.object({
  schema: z.literal('joinery/started@1'),
  id: z.string(),
  run: z.string(),
});
export type Started = z.infer<typeof Started>;

export const SpecList = z.object({
  schema: z.literal('joinery/specs@1'),
  specs: z.array(z.string()).describe('Markdown files that look like specs, and plans.'),
  agents: z.array(z.string()),
});
export type SpecList = z.infer<typeof SpecList>;

export const UiReport = z.object({
  schema: z.literal('joinery/ui@1'),
  url: z.string(),
  link: z.string().describe('Lets one browser in, once.'),
  key: z.string().describe('For programs: Authorization: Bearer <key>.'),
});
export type UiReport = z.infer<typeof UiReport>;
