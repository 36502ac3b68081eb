import { reachable } from '#lib/graph.ts';
import type { ModelTier } from '#schema/agent.ts';
import type { DataOf } from '#schema/event.ts';
import type { Failure } from '#schema/failure.ts';
import type { ProvenClaim } from '#schema/gates.ts';
import type { HandoffQuality } from '#schema/handoff.ts';
import type { Decision } from '#schema/integration.ts';
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

export interface AttemptState {
  readonly n: number;
  readonly round: number;
  readonly base: string;
  readonly from: string;
  /** Where the last holder that opened it put it. */
  path: string;
  readonly driver: string;
  readonly tier: ModelTier;
  readonly startedAt: string;
  endedAt: string | null;
  played: DataOf<'attempt.played'> | null;
  /** What it did besides its work. */
  incidents: readonly Incident[];
  /** The agent's own session; null until it has one. */
  session: DataOf<'attempt.session'> | null;
  outcome: AttemptOutcome | null;
  verdict: Verdict | null;
  quality: HandoffQuality | null;
  findings: readonly AttemptFinding[];
  /** How the work was judged without a model; null until it was. */
  grounding: DataOf<'attempt.grounded'> | null;
  /** What reviewers said; null until they did. */
  review: DataOf<'attempt.reviewed'> | null;
  /** What gates of ours showed about it. */
  claims: readonly ProvenClaim[];
  commit: string | null;
  /** Commit of work that did not get onto the branch. */
  kept: string | null;
  /** Why it failed; null while it has not. */
  failure: Failure | null;
  /** What it was given; null until it was. */
  prompt: DataOf<'attempt.prompted'> | null;
  /** The run of the workflow it is led through; null: it works in one go. */
  workflow: { readonly run: string; readonly isOpen: boolean } | null;
  /** What its handoff came to; null without one. */
  recorded: DataOf<'handoff.recorded'> | null;
  /** What it used its tools for. */
  readonly tools: { seen: number; explored: number; wrote: number };
  /** What others found at the seams with its task before it began. */
  told: readonly Clash[];
  /** What changed in the contract before it began. */
  news: readonly string[];
  /** Sections that did not fit into its prompt. */
  dropped: readonly string[];
  /** What the agent is doing now, for people. */
  tool: string;
  readonly usage: Spending;
  /** The one it was given or said it uses; null when unknown. */
  model: string | null;
  /** By model, what the agent has not said the cost of yet: dollars by our price table, tokens that have no price. */
  readonly estimated: Map<string, { readonly usd: number; readonly unpriced: number }>;
  /** When it got its text, and its last sign of life: a process that was killed works no longer. */
  promptedAt: string | null;
  seenAt: string | null;
}

export interface StepState {
  readonly task: Task;
  readonly branch: string;
  status: StepStatus;
  reason: string;
  /** True when the last reason to stop was text that does not merge. */
  conflict: boolean;
  commit: string | null;
  /** Dependencies that are not accepted yet. */
  waitingFor: number;
  readonly attempts: AttemptState[];
  /** How often a person asked for another try; attempts before that do not count for the loop. */
  retries: number;
  firstAttemptOfTry: number;
  /** Files added to the declaration with a reason. */
  readonly granted: string[];
  /** Files that its last commit changed. */
  files: readonly string[];
  /** What was found at its seams, one entry for each time it was checked before it could enter. */
  readonly checks: DataOf<'step.checked'>[];
  /** Not yet read by an attempt. */
  told: Clash[];
  /** What changed in the contract; not yet read by an attempt. */
  news: string[];
  /** What people said: for every attempt that begins after it. */
  readonly context: string[];
  /** What people said while its agent was at work; the agent has not read it yet. */
  unheard: string[];
  /** Why a person wants its agent to end; null when nobody does. */
  stopping: string | null;
  /** Set for a task that was added to the plan: what for, and where it begins. */
  rework: Rework | null;
  /** The task that finishes its work instead. */
  takenOverBy: string | null;
  /** How often it had to wait for accepted work to change. */
  waits: number;
  /** Its work is finished and waits for this task: then it is checked again, not done again. */
  parkedFor: string | null;
}

export type Rework = Pick<DataOf<'run.extended'>, 'reworks' | 'takes' | 'clashes' | 'start'>;

interface QuestionState {
  readonly question: Question;
  answer: string | null;
}

/** Everything a run is, as told by its events. */
export interface RunState {
  status: RunStatus;
  reason: string;
  pausedBy: 'interrupted' | null;
  plan: Plan;
  settings: RunSettings;
  base: string;
  baseRef: string;
  integration: { branch: string; commit: string };
  /** What a run began with that had no plan yet. */
  spec: { readonly path: string; readonly sha256: string } | null;
  /** Branch the result is for: 'main'. */
  target: string | null;
  /** Another run that it began as; null for a run of its own. */
  fork: (DataOf<'run.forked'> & { readonly reused: Spending }) | null;
  /** What happened in each phase, oldest first. */
  readonly phases: DataOf<'run.phase'>[];
  readonly consultations: Consultation[];
  readonly integrations: DataOf<'run.integrated'>[];
  landed: DataOf<'run.landed'> | null;
  /** Losses that a person takes. */
  readonly decisions: Decision[];
  /** Somebody said that it is not to land. */
  isKept: boolean;
  /** A person allowed that a part lands. */
  isPartial: boolean;
  isHalted: boolean;
  /** A person said to go on: failures do not halt this run again. */
  isHaltWaived: boolean;
  readonly steps: Map<string, StepState>;
  readonly dependants: Map<string, string[]>;
  readonly questions: Map<string, QuestionState>;
  readonly degraded: string[];
  readonly usage: Spending;
  /** The same by model; under the empty name what no model was named for. */
  readonly models: Map<string, Spending>;
  /** The one that counts now. */
  budget: Budget;
  isWarned: boolean;
  isOverspent: boolean;
  createdAt: string;
  at: string;
  seq: number;
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
    isKept: false,
    isPartial: false,
    questions: new Map(),
    degraded: [],
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

/** Attempts that count for the loop: of the present try, and not cut off by us. */
export function countedAttempts(step: StepState): AttemptState[] {
  return step.attempts.slice(step.firstAttemptOfTry).filter((attempt) => attempt.outcome !== 'interrupted');
}

export function openQuestions(state: RunState): Question[] {
  return [...state.questions.values()]
    .filter(({ answer }) => answer === null)
    .map(({ question }) => question);
}

/** An attempt that has begun and not ended: after a crash, what was cut off. */
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

/** It is not to be landed: the result is the integration branch. */
export function staysOnItsBranch({ settings, isKept }: RunState): boolean {
  return settings.land === 'never' || isKept;
}

export function hasNothingToLand({ integrations }: RunState): boolean {
  return integrations.at(-1)?.report.status === 'nothing';
}

/** By branch, why accepted work stayed behind when the rest was put together. */
export function leftBehind({ integrations }: Pick<RunState, 'integrations'>): ReadonlyMap<string, string> {
  const left = integrations.at(-1)?.report.left ?? [];
  return new Map(left.filter(({ isEmpty }) => !isEmpty).map(({ ref, reason }) => [ref, reason]));
}

/** The work of a step is part of what landed: its own, or that of the task that finished it. */
export function hasLanded(state: RunState, step: StepState): boolean {
  const heir = step.takenOverBy === null ? undefined : state.steps.get(step.takenOverBy);
  if (step.status !== 'accepted') return heir !== undefined && hasLanded(state, heir);
  return state.landed !== null && !leftBehind(state).has(step.branch);
}

/** What its last proof would land; null when there is none. */
export function provenLanding({ integrations }: Pick<RunState, 'integrations'>): DataOf<'run.landed'> | null {
  const last = integrations.at(-1)?.report;
  if (last?.status !== 'ready' || !last.integration || last.receipt === null) return null;
  const { ref, before } = last.target;
  return { ref, before, after: last.integration.commit, receipt: last.receipt };
}

/** The same run, if a person has moved the target to what was proven. Nobody has to answer whether it is to land. */
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

/** The same run, if what landed is no longer part of its target. */
export function withoutLanding(state: RunState): RunState {
  return { ...state, landed: null, isKept: true };
}

/** Part of a task's commits, so that making one again gives the same commit. */
export function startOf(state: RunState, id: string): string {
  return stepOf(state, id).attempts.at(-1)?.startedAt ?? state.createdAt;
}

/** Every task that cannot begin before this one is accepted. */
export function dependantsOf({ dependants }: Pick<RunState, 'dependants'>, id: string): Set<string> {
  return reachable([id], (each) => dependants.get(each) ?? []);
}
