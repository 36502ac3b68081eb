import { z } from 'zod';
import { ModelTier } from './agent.ts';
import { Failure } from './failure.ts';
import { ProvenClaim } from './gates.ts';
import { Amendment, GroundCheck, VerifiedCriterion } from './grounding.ts';
import { HandoffQuality } from './handoff.ts';
import { Plan } from './plan.ts';
import {
  AttemptFinding,
  AttemptOutcome,
  CheckResult,
  Incident,
  Question,
  RunSettings,
  Usage,
  Verdict,
} from './run.ts';
import { Budget } from './spending.ts';

const ObjectId = z.string().regex(/^[0-9a-f]{40,64}$/);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Every kind of event there is, with what it carries. `step` and `attempt` stand in the envelope. */
export const eventData = {
  'run.created': z.object({
    plan: Plan,
    base: ObjectId,
    baseRef: z.string(),
    integration: z.string().describe('Branch that collects accepted work.'),
    branches: z.record(z.string(), z.string()).describe('Branch of each task.'),
    settings: RunSettings,
  }),
  'run.opened': z.object({ token: z.int(), holder: z.string() }),
  'run.paused': z.object({ reason: z.enum(['interrupted', 'awaiting_human']) }),
  'run.halted': z.object({ failed: z.int(), settled: z.int(), reason: z.string().optional() }),
  'run.unhalted': z.object({}),
  'run.warned': z.object({ usd: z.number(), tokens: z.number(), budget: Budget }),
  'run.overspent': z.object({ usd: z.number(), tokens: z.number(), budget: Budget }),
  'run.budgeted': Budget.describe('A person set another budget.'),
  'run.reopened': z.object({ reason: z.string() }),
  'run.degraded': z.object({ what: z.string() }),
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
    mode: z.enum(['full', 'task-only', 'blind']),
    bytes: z.int(),
    included: z.array(z.string()),
    dropped: z.array(z.string()),
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
  'attempt.played': z.object({
    outcome: AttemptOutcome,
    reason: z.string(),
    handoff: Sha256.nullable().describe('Artifact with the accepted handoff.'),
    notes: Sha256.nullable().describe('Artifact with what the agent said.'),
    incidents: z.array(Incident).optional().describe('What it did besides its work.'),
  }),
  'step.committed': z.object({
    commit: ObjectId,
    tree: ObjectId,
    parent: ObjectId,
    files: z.array(z.object({ path: z.string(), change: z.enum(['added', 'modified', 'deleted']) })),
    incidents: z.array(Incident).optional().describe('What was found beside the work when it was read.'),
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
  'attempt.ended': z.object({
    outcome: AttemptOutcome,
    quality: HandoffQuality.nullable(),
    verdict: Verdict.nullable().describe('null: the attempt was interrupted and judges nothing.'),
    checks: z.array(CheckResult),
    findings: z.array(AttemptFinding),
  }),

  'attempt.classified': Failure,

  'step.accepted': z.object({ commit: ObjectId, integration: ObjectId }),
  'step.conflicted': z.object({ commit: ObjectId, head: ObjectId, paths: z.array(z.string()) }),
  'step.revising': z.object({ n: z.int().positive(), reason: z.string() }),
  'step.escalated': z.object({ reason: z.string(), conflict: z.boolean() }),
  'step.failed': z.object({ reason: z.string() }),
  'step.skipped': z.object({ reason: z.string(), because: z.enum(['dependency', 'halted', 'cancelled']) }),
  'step.retried': z.object({ context: z.string(), by: z.string() }),

  'question.asked': Question,
  'question.answered': z.object({
    id: z.string(),
    answer: z.string(),
    by: z.enum(['person', 'deadline', 'autopilot']),
  }),
} as const;

export type EventType = keyof typeof eventData;
export type DataOf<T extends EventType> = z.infer<(typeof eventData)[T]>;

/** An event before the log has given it a number and a time. */
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
export type StepLevelType = Exclude<EventType, RunLevelType>;

export function isAboutRun(event: RunEvent): event is RunEvent<RunLevelType> {
  return event.type.startsWith('run.') || event.type.startsWith('question.');
}

/** Events that show what an agent is doing and change no state: they may reach the log a moment later. */
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

/** For the published schema and for readers of foreign logs; our own log is validated as it is written. */
export const RunEventSchema = z.discriminatedUnion('type', [
  schemaOf(firstType),
  ...otherTypes.map((type) => schemaOf(type)),
]);
