import { z } from 'zod';
import { ModelTier } from './agent.ts';
import { Contract, ContractChange } from './contract.ts';
import { Failure } from './failure.ts';
import { ProvenClaim } from './gates.ts';
import { Amendment, GroundCheck, VerifiedCriterion } from './grounding.ts';
import { HandoffEdge, HandoffForm, HandoffQuality, HandoffRemark } from './handoff.ts';
import { Acceptance, AcceptedLoss, IntegrationReport } from './integration.ts';
import { Plan, Task } from './plan.ts';
import { Consultation } from './planning.ts';
import {
  AttemptFinding,
  AttemptOutcome,
  CheckResult,
  Clash,
  Incident,
  LandPolicy,
  Question,
  RunSettings,
  Usage,
  Verdict,
} from './run.ts';
import { Scenario } from './scenario.ts';
import { Budget } from './spending.ts';
import { Consensus } from './triage.ts';
import { WorkflowDelegated, WorkflowNode, WorkflowStarted } from './workflow-run.ts';

const ObjectId = z.string().regex(/^[0-9a-f]{40,64}$/);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Phases of a run, in order. */
export const Phase = z.enum(['plan', 'challenge', 'verify', 'tasks', 'integrate', 'land']);
export type Phase = z.infer<typeof Phase>;

/** Every kind of event, with its data. `step` and `attempt` are in the envelope. */
export const eventData = {
  'run.created': z.object({
    plan: Plan.extend({
      tasks: z.array(Task).describe('Empty if the run starts from a spec: run.planned adds them.'),
    }),
    spec: z
      .object({ path: z.string(), sha256: z.string() })
      .optional()
      .describe('What is to be planned first.'),
    target: z.string().nullable().optional().describe('Target branch: "main"; null if there is none.'),
    base: ObjectId,
    baseRef: z.string(),
    integration: z.string().describe('Branch that collects accepted work.'),
    branches: z.record(z.string(), z.string()).describe('Branch of each task.'),
    settings: RunSettings,
  }),
  'run.opened': z.object({
    token: z.int(),
    holder: z.string(),
    containment: z.string().optional().describe('How its programs run: contained (…), not contained (why).'),
  }),
  'run.paused': z.object({ reason: z.enum(['interrupted', 'awaiting_human']) }),
  'run.halted': z.object({ failed: z.int(), settled: z.int(), reason: z.string().optional() }),
  'run.unhalted': z.object({}),
  'run.warned': z.object({ usd: z.number(), tokens: z.number(), budget: Budget }),
  'run.overspent': z.object({ usd: z.number(), tokens: z.number(), budget: Budget }),
  'run.budgeted': Budget.describe('A person set another budget.'),
  'run.signalled': z
    .object({ id: z.string(), name: z.string(), by: z.string().describe('Who sent it, and from where.') })
    .describe('A request of another process; its effect follows as another event.'),
  'run.refused': z
    .object({
      what: z.string().describe('`joinery steer`.'),
      process: z.string().describe('Who tried: `node run.js (pid 4711)`.'),
      mark: z.string().describe('`<run>/<task>/<attempt>`.'),
      evidence: z.string().describe('How it was recognized: environment, ancestry, sandbox.'),
    })
    .describe('A program of the work tried what only a person may do.'),
  'run.reopened': z.object({ reason: z.string() }),
  'run.degraded': z.object({ what: z.string() }),
  'run.contracted': z
    .object({
      task: z.string().describe('Who requested it.'),
      change: ContractChange,
      by: z.enum(['person', 'deadline', 'policy']),
      before: Sha256.describe('What the contract was signed with.'),
      sha256: Sha256.describe('What it is signed with now.'),
      contract: Contract,
      told: z.array(z.string()).describe('Tasks that depend on the item and are notified.'),
    })
    .describe('The contract was changed.'),
  'run.phase': z.object({
    phase: Phase,
    status: z.enum(['begun', 'done', 'failed']),
    detail: z.string(),
    artifact: Sha256.optional().describe('Artifact with the whole report.'),
  }),
  'run.forked': z
    .object({
      from: z.string().describe('Run whose log up to here this is.'),
      at: z.string().describe('The step that begins again: "verify", "api", "api/2".'),
      agent: z.string().nullable().describe('Who does the work from here on; null: as before.'),
      model: z.string().nullable(),
      context: z.string().describe('Additional information for the step.'),
      land: LandPolicy,
      scenario: Scenario.nullable().describe('What the scripted agent does from here on; null: as before.'),
      against: ObjectId.nullable().describe(
        'What the target was before the other run landed on it; null: it did not.',
      ),
    })
    .describe('A run that begins with what another one had recorded.'),
  'run.consulted': Consultation.describe('An agent was asked before there were tasks.'),
  'run.planned': z.object({ plan: Plan, branches: z.record(z.string(), z.string()) }),
  'run.extended': z
    .object({
      task: Task,
      branch: z.string(),
      reworks: z.array(z.string()).describe('Accepted tasks whose work it changes.'),
      takes: z.array(z.string()).describe('Tasks that were not accepted and whose work it finishes.'),
      clashes: z.array(Clash).describe('What it has to fix.'),
      start: z
        .object({
          accepted: ObjectId,
          waiting: ObjectId,
          commit: ObjectId,
          target: z.string().optional().describe('The branch that has moved: it is what waits.'),
        })
        .nullable()
        .describe('Accepted work, the work that waits for it, and both together: where it begins.'),
    })
    .describe('A task that the plan did not have.'),
  'run.integrated': z.object({
    report: IntegrationReport,
    commits: z.array(ObjectId).describe('What was put together.'),
  }),
  'run.landing': z
    .object({
      mayUpdateCheckout: z.boolean(),
      isPartial: z.boolean(),
      decisions: z.array(AcceptedLoss).optional().describe('Losses that a person takes; absent: as before.'),
      accept: z.array(Acceptance).optional().describe('Findings that a person accepts.'),
      unproven: z
        .string()
        .optional()
        .describe('Who decided that it may land although nothing was run on it: `ada (terminal)`.'),
    })
    .describe('A person wants it to land.'),
  'run.settled': z
    .object({
      accept: z.array(Acceptance).describe('Findings that a person accepts.'),
      isPartial: z.boolean().describe('What findings ask about stays behind, the rest goes on.'),
    })
    .describe('What becomes of findings that would break the result and that nobody has judged.'),
  'run.undone': z
    .object({ ref: z.string(), landed: ObjectId.describe('The landing commit that the target lacks now.') })
    .describe('The landed commit is no longer part of the target.'),
  'run.landed': z.object({ ref: z.string(), before: ObjectId, after: ObjectId, receipt: Sha256 }),
  'run.ended': z.object({ status: z.enum(['done', 'failed', 'cancelled']), reason: z.string() }),

  'attempt.started': z.object({
    base: ObjectId.describe('What diffs are taken against.'),
    from: ObjectId.describe('Commit the worktree starts at.'),
    round: z.int().positive().describe('Number among the attempts that were not interrupted.'),
    branch: z.string(),
    path: z.string(),
    driver: z.string(),
    role: z.string(),
    tier: ModelTier.optional(),
    model: z.string().nullable().optional().describe("null: the agent's own choice."),
  }),
  'worktree.ready': z.object({
    head: ObjectId,
    path: z.string(),
    dependencies: z.enum(['none', 'reflink', 'hardlink', 'copy', 'symlink', 'command']),
    ports: z.tuple([z.int(), z.int()]),
    database: z.string(),
  }),
  'attempt.prompted': z.object({
    sha256: Sha256,
    mode: z.enum(['full', 'task-only', 'blind', 'custom']),
    isolated: z.array(z.string()).optional().describe('Sections that isolation kept out.'),
    bytes: z.int(),
    included: z.array(z.string()),
    dropped: z.array(z.string()),
    role: z.string().optional(),
    upstream: z
      .record(z.string(), z.enum(['partial', 'fallback']))
      .optional()
      .describe('Tasks it builds on that left no valid handoff.'),
  }),
  'attempt.session': z.object({
    session: z.string().describe("The agent's own id, for its resume."),
    version: z.string().nullable(),
    model: z.string().nullable(),
  }),
  'attempt.said': z.object({ text: z.string() }),
  'attempt.used': z.object({ tool: z.string(), detail: z.string() }),
  'attempt.permission': z.object({
    tool: z.string(),
    detail: z.string(),
    decision: z.enum(['allowed', 'denied']),
  }),
  'attempt.retrying': z.object({ reason: z.string(), waitMs: z.number().nonnegative().nullable() }),
  'attempt.spent': Usage.extend({
    basis: z
      .enum(['reported', 'table', 'unknown'])
      .optional()
      .describe('Where `usd` comes from: the agent, our price table, or nowhere.'),
  }),
  'handoff.refused': z.object({ problems: z.array(z.string()), validSections: z.array(z.string()) }),
  'handoff.recorded': z.object({
    form: HandoffForm,
    edges: z.array(HandoffEdge).describe('Whose work it says it used, resolved when it was handed in.'),
    findings: z.array(HandoffRemark),
  }),
  'attempt.told': z
    .object({ clashes: z.array(Clash) })
    .describe('Conflicts reported to its agent in an additional turn, before it finished.'),
  'attempt.steered': z
    .object({ texts: z.array(z.string()) })
    .describe('What a person said reached its agent, in a further turn.'),
  'attempt.stepped': z
    .object({
      workflow: z.string(),
      run: z.string().describe('The run of the workflow: joinery workflow status <run>.'),
      step: z.string().nullable().describe('loop@pass::step; null: before the first and after the last.'),
      title: z.string(),
      status: z.enum(['opened', 'begun', 'accepted', 'refused', 'waiting', 'stopped', 'complete']),
      detail: z.string().describe('What was refused, what it waits for.'),
      prompt: Sha256.nullable().describe(
        'Artifact with the instructions for the step, after the prompt of the attempt.',
      ),
    })
    .describe('Its agent follows a workflow: a step of it started or ended.'),
  'attempt.played': z.object({
    outcome: AttemptOutcome,
    reason: z.string(),
    handoff: Sha256.nullable().describe('Artifact with the accepted handoff.'),
    notes: Sha256.nullable().describe('Artifact with what the agent said.'),
    form: HandoffForm.optional().describe('How the handoff was written.'),
    incidents: z.array(Incident).optional().describe('Its side effects.'),
  }),
  'step.committed': z.object({
    commit: ObjectId,
    tree: ObjectId,
    parent: ObjectId,
    files: z.array(z.object({ path: z.string(), change: z.enum(['added', 'modified', 'deleted']) })),
    incidents: z.array(Incident).optional().describe('What was found next to the work when it was read.'),
  }),
  'work.kept': z.object({ ref: z.string(), commit: ObjectId, why: z.string() }),
  'attempt.grounded': z.object({
    commit: ObjectId,
    status: z.enum(['pass', 'fail', 'inconclusive']),
    checks: z.array(GroundCheck),
    amendments: z.array(Amendment),
    criteria: z.array(VerifiedCriterion).default([]),
  }),
  'attempt.gated': z.object({
    commit: ObjectId,
    status: z.enum(['pass', 'fail', 'inconclusive']),
    claims: z.array(ProvenClaim),
  }),
  'attempt.reviewed': z
    .object({
      commit: ObjectId,
      verdict: z.enum(['approve', 'revise', 'uncertain']),
      reason: z.string(),
      consensus: Consensus.shape.verdict,
      accepted: z.int().nonnegative(),
      deferred: z.int().nonnegative(),
      rejected: z.int().nonnegative(),
      report: Sha256.nullable().describe(
        'Artifact with the whole review; null: a failing test does not pass yet.',
      ),
      redTests: z
        .array(z.object({ file: z.string(), finding: z.string(), sha256: Sha256 }))
        .describe('Tests that have to pass, each an artifact; agents must not change them.'),
      start: ObjectId.nullable().describe('The commit with these tests: the next attempt starts there.'),
    })
    .describe('Reviewers looked at the work of an attempt.'),
  'attempt.ended': z.object({
    outcome: AttemptOutcome,
    quality: HandoffQuality.nullable(),
    verdict: Verdict.nullable().describe('null: the attempt was interrupted and judges nothing.'),
    checks: z.array(CheckResult),
    findings: z.array(AttemptFinding),
  }),

  'attempt.classified': Failure,

  'step.accepted': z.object({ commit: ObjectId, integration: ObjectId }),
  'step.checked': z.object({
    commit: ObjectId,
    against: z.array(
      z.object({ task: z.string(), commit: ObjectId, state: z.enum(['accepted', 'in-flight']) }),
    ),
    status: z.enum(['pass', 'fail', 'inconclusive']),
    clashes: z.array(Clash).describe('What keeps the work out.'),
    shown: z.array(Clash).optional().describe('What is important and keeps nothing out.'),
    delta: z.object({ before: z.int(), fixed: z.int(), remaining: z.int(), new: z.int() }),
    reason: z.string().optional().describe('Why it is inconclusive.'),
  }),
  'step.waiting': z
    .object({ for: z.string(), reason: z.string() })
    .describe('Its work is finished; accepted work has to change before it can enter.'),
  'step.told': Clash.describe('Found between tasks in flight; the owner reads it in its next attempt.'),
  'step.steered': z
    .object({ text: z.string(), by: z.string(), who: z.string().optional() })
    .describe('For the agent of the task: in its next turn, and in every later attempt.'),
  'step.stopping': z
    .object({ reason: z.string(), by: z.string(), who: z.string().optional() })
    .describe('Its agent is to end; then the task has failed.'),
  'step.conflicted': z.object({ commit: ObjectId, head: ObjectId, paths: z.array(z.string()) }),
  'step.revising': z.object({ n: z.int().positive(), reason: z.string() }),
  'step.escalated': z.object({ reason: z.string(), conflict: z.boolean() }),
  'step.failed': z.object({ reason: z.string() }),
  'step.skipped': z.object({ reason: z.string(), because: z.enum(['dependency', 'halted', 'cancelled']) }),
  'step.retried': z.object({
    context: z.string(),
    by: z.string(),
    keepsWork: z.boolean().optional().describe('It continues from its last commit.'),
  }),

  'question.asked': Question,
  'question.answered': z.object({
    id: z.string(),
    answer: z.string(),
    by: z.enum(['person', 'deadline', 'autopilot']),
    who: z.string().optional().describe('Which person, and how it is known: ada (terminal), not provable.'),
  }),

  'workflow.started': WorkflowStarted,
  'workflow.node': WorkflowNode,
  'workflow.delegated': WorkflowDelegated,
} as const;

export type EventType = keyof typeof eventData;
export type DataOf<T extends EventType> = z.infer<(typeof eventData)[T]>;

/** An event before the log has assigned its number and time. */
export type EventDraft<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    readonly step?: string;
    readonly attempt?: number;
    readonly data: DataOf<K>;
  };
}[T];

export type RunEvent<T extends EventType = EventType> = EventDraft<T> & {
  readonly seq: number;
  readonly at: string;
  readonly v: 1;
};

export type RunLevelType = Extract<EventType, `run.${string}` | `question.${string}`>;
/** Events of runs that follow a workflow; a run of a plan has none of them. */
type WorkflowLevelType = Extract<EventType, `workflow.${string}`>;
export type StepLevelType = Exclude<EventType, RunLevelType | WorkflowLevelType>;

export function isAboutRun(event: RunEvent): event is RunEvent<RunLevelType> {
  return event.type.startsWith('run.') || event.type.startsWith('question.');
}

/** Events that show what an agent is doing and change no state: they may be logged a moment later. */
export const progressTypes: ReadonlySet<EventType> = new Set([
  'attempt.session',
  'attempt.said',
  'attempt.used',
  'attempt.permission',
  'attempt.retrying',
  'attempt.spent',
  'handoff.refused',
]);

const envelope = {
  seq: z.int().positive().describe('Counts from 1 without gaps.'),
  at: z.iso.datetime().describe('Never earlier than the event before.'),
  v: z.literal(1),
  step: z.string().optional(),
  attempt: z.int().positive().optional(),
};

const [firstType, ...otherTypes] = Object.keys(eventData) as [EventType, ...EventType[]];

function schemaOf(type: EventType) {
  return z.object({ ...envelope, type: z.literal(type), data: eventData[type] });
}

/** For the published schema and for logs of other tools; Joinery validates its own log when it writes. */
export const RunEventSchema = z.discriminatedUnion('type', [
  schemaOf(firstType),
  ...otherTypes.map((type) => schemaOf(type)),
]);
