import { reachable } from '#lib/graph.ts';
import type { ModelTier } from '#schema/agent.ts';
import type { DataOf } from '#schema/event.ts';
import type { Failure } from '#schema/failure.ts';
import type { ProvenClaim } from '#schema/gates.ts';
import type { HandoffQuality } from '#schema/handoff.ts';
import type { AcceptedLoss } from '#schema/integration.ts';
import type { Plan, Task } from '#schema/plan.ts';
import type { Consultation } from '#schema/planning.ts';
import {
  type AttemptFinding,
  type AttemptOutcome,
  type Clash,
  defaultSettings,
  type Incident,
  type Question,
  type RunSettings,
  type RunStatus,
  type StepStatus,
  type Verdict,
} from '#schema/run.ts';
import { type Budget, noBudget, noSpending, type Spending } from '#schema/spending.ts';
import type { Acceptance } from '#schema/verdict.ts';

export interface AttemptState {
  readonly n: number;
  readonly round: number;
  readonly base: string;
  readonly from: string;
  /** Set by the last holder that opened it. */
  path: string;
  readonly driver: string;
  readonly tier: ModelTier;
  readonly startedAt: string;
  endedAt: string | null;
  played: DataOf<'attempt.played'> | null;
  /** Misbehaviour of the agent. */
  incidents: readonly Incident[];
  /** The agent's session; null until it has one. */
  session: DataOf<'attempt.session'> | null;
  outcome: AttemptOutcome | null;
  verdict: Verdict | null;
  quality: HandoffQuality | null;
  findings: readonly AttemptFinding[];
  /** The result of grounding; null until there is one. */
  grounding: DataOf<'attempt.grounded'> | null;
  /** The result of the review; null until there is one. */
  review: DataOf<'attempt.reviewed'> | null;
  /** What the gates proved. */
  claims: readonly ProvenClaim[];
  commit: string | null;
  /** Commit of work that is not on the branch. */
  kept: string | null;
  /** Why it failed; null if it has not. */
  failure: Failure | null;
  /** Its prompt; null until there is one. */
  prompt: DataOf<'attempt.prompted'> | null;
  /** The workflow run it follows; null: none. */
  workflow: { readonly run: string; readonly isOpen: boolean } | null;
  /** The recorded handoff; null without one. */
  recorded: DataOf<'handoff.recorded'> | null;
  /** How it used its tools. */
  readonly tools: { seen: number; explored: number; wrote: number };
  /** Clashes with its task that others found before it started. */
  told: readonly Clash[];
  /** Contract changes before it started. */
  news: readonly string[];
  /** Sections that did not fit into its prompt. */
  dropped: readonly string[];
  /** What the agent is doing now, for people. */
  tool: string;
  readonly usage: Spending;
  /** The requested model, or the one the agent reported; null if unknown. */
  model: string | null;
  /** By model, usage without a reported cost: dollars from our price table, and tokens without a price. */
  readonly estimated: Map<string, { readonly usd: number; readonly unpriced: number }>;
  /** When it got its prompt, and its last sign of life: a killed process no longer works. */
  promptedAt: string | null;
  seenAt: string | null;
}

export interface StepState {
  readonly task: Task;
  readonly branch: string;
  status: StepStatus;
  reason: string;
  /** True if the last reason to stop was a text conflict. */
  conflict: boolean;
  commit: string | null;
  /** Dependencies that are not accepted yet. */
  waitingFor: number;
  readonly attempts: AttemptState[];
  /** How many times a person asked for a retry; earlier attempts do not count for the loop. */
  retries: number;
  firstAttemptOfTry: number;
  /** Files added to the declaration with a reason. */
  readonly granted: string[];
  /** Files that its last commit changed. */
  files: readonly string[];
  /** Clashes, one entry for each check before its work could be merged. */
  readonly checks: DataOf<'step.checked'>[];
  /** Clashes that no attempt has read yet. */
  told: Clash[];
  /** Contract changes that no attempt has read yet. */
  news: string[];
  /** Messages from people, for every later attempt. */
  readonly context: string[];
  /** Messages from people that its running agent has not read yet. */
  unheard: string[];
  /** The reason a person gave for stopping its agent; null if there is no such request. */
  stopping: string | null;
  /** Set for a task that was added to the plan: its purpose and its starting point. */
  rework: Rework | null;
  /** The task that finishes its work instead. */
  takenOverBy: string | null;
  /** How many times it had to wait for accepted work to change. */
  waits: number;
  /** Its finished work waits for this task, and is then checked again, not redone. */
  parkedFor: string | null;
}

export type Rework = Pick<DataOf<'run.extended'>, 'reworks' | 'takes' | 'clashes' | 'start'>;

interface QuestionState {
  readonly question: Question;
  answer: string | null;
}

/** The state of a run, folded from its events. */
export interface RunState {
  status: RunStatus;
  reason: string;
  pausedBy: 'interrupted' | null;
  plan: Plan;
  settings: RunSettings;
  base: string;
  baseRef: string;
  integration: { branch: string; commit: string };
  /** The spec of a run that started without a plan. */
  spec: { readonly path: string; readonly sha256: string } | null;
  /** Branch to land on: 'main'. */
  target: string | null;
  /** The run it was forked from; null if it is not a fork. */
  fork: (DataOf<'run.forked'> & { readonly reused: Spending }) | null;
  /** What happened in each phase, oldest first. */
  readonly phases: DataOf<'run.phase'>[];
  readonly consultations: Consultation[];
  readonly integrations: DataOf<'run.integrated'>[];
  landed: DataOf<'run.landed'> | null;
  /** Losses that a person accepts. */
  readonly decisions: AcceptedLoss[];
  /** Findings that a person accepted for the landing. */
  readonly accepted: Acceptance[];
  /** Who decided that it may land although nothing was run on it; null: nobody. */
  unproven: string | null;
  /** Somebody decided not to land it. */
  isKept: boolean;
  /** A person allowed landing a part of it. */
  isPartial: boolean;
  isHalted: boolean;
  /** A person decided to continue: failures do not halt this run again. */
  isHaltWaived: boolean;
  readonly steps: Map<string, StepState>;
  readonly dependants: Map<string, string[]>;
  readonly questions: Map<string, QuestionState>;
  readonly degraded: string[];
  /** How the programs of its latest holder run; null in old logs. */
  containment: string | null;
  readonly usage: Spending;
  /** The same by model; usage without a model is under the empty name. */
  readonly models: Map<string, Spending>;
  /** The current budget. */
  budget: Budget;
  isWarned: boolean;
  isOverspent: boolean;
  createdAt: string;
  at: string;
  seq: number;
}

/** Why nothing was run on the result, as long as nobody has decided that it may land so. */
export function whyUnproven({ integrations, unproven }: RunState): string | null {
  const reason = integrations.at(-1)?.report.unproven?.reason;
  return reason === undefined || unproven !== null ? null : reason;
}

type Graph = Pick<RunState, 'steps' | 'dependants'>;

/** Adds the tasks of a plan to a run. */
export function addTasks(
  { steps, dependants }: Graph,
  tasks: readonly Task[],
  branches: Readonly<Record<string, string>>,
): void {
  for (const { id } of tasks) dependants.set(id, []);
  for (const task of tasks) {
    const needs = new Set(task.dependsOn);
    for (const dependency of needs) dependants.get(dependency)?.push(task.id);
    const waitingFor = [...needs].filter((id) => steps.get(id)?.status !== 'accepted').length;
    steps.set(task.id, {
      task,
      branch: branches[task.id] ?? '',
      status: waitingFor === 0 ? 'ready' : 'pending',
      reason: '',
      conflict: false,
      commit: null,
      waitingFor,
      attempts: [],
      retries: 0,
      firstAttemptOfTry: 0,
      granted: [],
      context: [],
      unheard: [],
      stopping: null,
      files: [],
      checks: [],
      told: [],
      news: [],
      rework: null,
      takenOverBy: null,
      waits: 0,
      parkedFor: null,
    });
  }
}

export function stateOf(created: DataOf<'run.created'>, at: string): RunState {
  const graph: Graph = { steps: new Map(), dependants: new Map() };
  addTasks(graph, created.plan.tasks, created.branches);
  return {
    status: 'created',
    reason: '',
    pausedBy: null,
    plan: created.plan,
    // Logs of older versions lack the newer settings.
    settings: { ...defaultSettings, ...created.settings },
    base: created.base,
    baseRef: created.baseRef,
    integration: { branch: created.integration, commit: created.base },
    isHalted: false,
    isHaltWaived: false,
    ...graph,
    spec: created.spec ?? null,
    target: created.target ?? null,
    fork: null,
    phases: [],
    consultations: [],
    integrations: [],
    landed: null,
    decisions: [],
    unproven: created.settings.unproven ?? null,
    accepted: [],
    isKept: false,
    isPartial: false,
    questions: new Map(),
    degraded: [],
    containment: null,
    usage: noSpending(),
    models: new Map(),
    budget: created.settings.budget ?? noBudget,
    isWarned: false,
    isOverspent: false,
    createdAt: at,
    at,
    seq: 1,
  };
}

export function stepOf(state: RunState, id: string): StepState {
  const step = state.steps.get(id);
  if (!step) throw new Error(`the plan has no task ${id}`);
  return step;
}

/** Attempts that count for the loop: those of the current try that we did not interrupt. */
export function countedAttempts(step: StepState): AttemptState[] {
  return step.attempts.slice(step.firstAttemptOfTry).filter((attempt) => attempt.outcome !== 'interrupted');
}

export function openQuestions(state: RunState): Question[] {
  return [...state.questions.values()]
    .filter(({ answer }) => answer === null)
    .map(({ question }) => question);
}

/** An attempt that has started and not ended: after a crash, the interrupted one. */
export function openAttempt(step: StepState): AttemptState | null {
  const last = step.attempts.at(-1);
  return last && last.outcome === null ? last : null;
}

const settledStatuses: ReadonlySet<StepStatus> = new Set(['accepted', 'failed', 'escalated', 'skipped']);

export function isSettled(step: StepState): boolean {
  return settledStatuses.has(step.status);
}

/** Its work is part of the result: its own, or that of the task that finished it. */
export function isAccepted({ steps }: Pick<RunState, 'steps'>, step: StepState): boolean {
  if (step.status === 'accepted') return true;
  const heir = step.takenOverBy === null ? undefined : steps.get(step.takenOverBy);
  return heir !== undefined && isAccepted({ steps }, heir);
}

export function hasEnded(state: RunState): boolean {
  return state.status === 'done' || state.status === 'failed' || state.status === 'cancelled';
}

/** It must not land: the result is the integration branch. */
export function staysOnItsBranch({ settings, isKept }: RunState): boolean {
  return settings.land === 'never' || isKept;
}

export function hasNothingToLand({ integrations }: RunState): boolean {
  return integrations.at(-1)?.report.status === 'nothing';
}

/** branch → why its accepted work was left out of the integration. */
export function leftBehind({ integrations }: Pick<RunState, 'integrations'>): ReadonlyMap<string, string> {
  const left = integrations.at(-1)?.report.left ?? [];
  return new Map(left.filter(({ isEmpty }) => !isEmpty).map(({ ref, reason }) => [ref, reason]));
}

/** The work of a step has landed: its own, or that of the task that finished it. */
export function hasLanded(state: RunState, step: StepState): boolean {
  const heir = step.takenOverBy === null ? undefined : state.steps.get(step.takenOverBy);
  if (step.status !== 'accepted') return heir !== undefined && hasLanded(state, heir);
  return state.landed !== null && !leftBehind(state).has(step.branch);
}

/** What its last proof would land; null if there is none. */
export function provenLanding({ integrations }: Pick<RunState, 'integrations'>): DataOf<'run.landed'> | null {
  const last = integrations.at(-1)?.report;
  if (last?.status !== 'ready' || !last.integration || last.receipt === null) return null;
  const { ref, before } = last.target;
  return { ref, before, after: last.integration.commit, receipt: last.receipt };
}

/** The same run after a person moved the target to what was proven. The question whether to land is then moot. */
export function withLanding(state: RunState, landed: DataOf<'run.landed'>): RunState {
  const questions = new Map(
    [...state.questions].map(([id, asked]) => [
      id,
      asked.question.kind === 'land' && asked.answer === null ? { ...asked, answer: 'land' } : asked,
    ]),
  );
  const now: RunState = { ...state, landed, questions };
  if (hasEnded(state) || openQuestions(now).length > 0) return now;
  const out = [...state.steps.values()].filter((step) => !hasLanded(now, step));
  if (out.length === 0) return { ...now, status: 'done', reason: '' };
  return { ...now, status: 'failed', reason: `landed without ${out.map(({ task }) => task.id).join(', ')}` };
}

/** The same run after its landing was removed from the target. */
export function withoutLanding(state: RunState): RunState {
  return { ...state, landed: null, isKept: true };
}

/** Part of a task's commits, so that making one again gives the same commit id. */
export function startOf(state: RunState, id: string): string {
  return stepOf(state, id).attempts.at(-1)?.startedAt ?? state.createdAt;
}

/** Every task that cannot start before this one is accepted. */
export function dependantsOf({ dependants }: Pick<RunState, 'dependants'>, id: string): Set<string> {
  return reachable([id], (each) => dependants.get(each) ?? []);
}

/** Where work of the run may do whatever a person may, nothing proves that it was one. */
export function provable(who: string, { containment }: Pick<RunState, 'containment'>): string {
  return containment?.startsWith('contained') ? who : `${who}, not provable`;
}
