import { z } from 'zod';
import { AgentLimits, agentOutcomes } from './agent.ts';
import { ContractChange } from './contract.ts';
import { ProvenClaim } from './gates.ts';
import { Scenario } from './scenario.ts';
import { Budget, noBudget, Price, Spending } from './spending.ts';

export const RunStatus = z.enum(['created', 'running', 'awaiting_human', 'done', 'failed', 'cancelled']);
export type RunStatus = z.infer<typeof RunStatus>;

export const StepStatus = z.enum([
  'pending',
  'ready',
  'running',
  'submitted',
  'checking',
  'accepted',
  'revising',
  'escalated',
  'skipped',
  'failed',
]);
export type StepStatus = z.infer<typeof StepStatus>;

/** `interrupted`: Joinery stopped the agent or was itself killed. */
export const AttemptOutcome = z.enum([...agentOutcomes, 'interrupted']);
export type AttemptOutcome = z.infer<typeof AttemptOutcome>;

export const Verdict = z.enum(['approve', 'revise', 'reject', 'uncertain']);
export type Verdict = z.infer<typeof Verdict>;

export const CheckResult = z.object({
  name: z.string(),
  status: z.enum(['pass', 'fail', 'warn', 'inconclusive', 'skipped']),
  decidedBy: z.enum(['code', 'agent']),
  required: z.boolean(),
  detail: z.string().default(''),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** A problem of one attempt. `fingerprint` never depends on wording, so that loops can see whether anything changed. */
export const AttemptFinding = z.object({
  fingerprint: z.string(),
  severity: z.enum(['blocking', 'important', 'minor', 'info']),
  message: z.string(),
});
export type AttemptFinding = z.infer<typeof AttemptFinding>;

/** A problem where the work of two tasks meets, as reported to its owner. */
export const Clash = z.object({
  id: z.string().describe('Fingerprint of the finding.'),
  cause: z.string().optional().describe('The same for every pair of branches that shows it.'),
  rule: z.string(),
  message: z.string(),
  tasks: z.array(z.string()).describe('Whose work does not fit together.'),
  owner: z.string().nullable().describe('The task that has to move.'),
  target: z.string().optional().describe('Of `tasks` the one that is a branch: the target, which has moved.'),
  sites: z.array(
    z.object({
      task: z.string(),
      file: z.string(),
      line: z.int().positive(),
      role: z.enum(['provider', 'consumer']),
    }),
  ),
  witness: z.object({ command: z.string(), output: z.string() }),
  suggestion: z.string(),
  effect: z
    .enum(['stops', 'asks'])
    .optional()
    .describe('asks: nobody has judged it; its owner is told once. Absent: stops.'),
});
export type Clash = z.infer<typeof Clash>;

/** What an attempt did besides its work, as Joinery observed it. */
export const Incident = z.object({
  kind: z.enum([
    'left-processes',
    'attacked-guard',
    'committed',
    'switched-branch',
    'wrote-outside',
    'nested-repository',
    'replaced-worktree',
    'moved-ref',
    'read-withheld',
    'tried-to-decide',
  ]),
  detail: z.string(),
  isBlocking: z.boolean().describe('True when its work cannot be taken as it is.'),
});
export type Incident = z.infer<typeof Incident>;

export const Autonomy = z.enum(['interactive', 'autopilot']);
export type Autonomy = z.infer<typeof Autonomy>;

export const LoopPolicy = z.object({
  max: z.int().min(1).max(3).describe('Attempts that count; three is the hard cap.'),
  onNoProgress: z.enum(['escalate', 'fail']),
  onExhausted: z.enum(['escalate', 'fail']),
});
export type LoopPolicy = z.infer<typeof LoopPolicy>;

const HaltRule = z.object({
  minFailures: z.int().min(1).describe('Fewer failures than this never halt a run, however small the plan.'),
  ratio: z.number().min(0).max(1).describe('Share of the settled tasks that failed.'),
});

export const Fallback = z.enum(['tier-down', 'none']);

/** How a contract change that a task requests is decided. */
export const ContractPolicy = z.enum(['ask', 'accept', 'refuse']);
export type ContractPolicy = z.infer<typeof ContractPolicy>;

/** Whether finished work moves the user's branch. */
export const LandPolicy = z.enum(['ask', 'always', 'never']);
export type LandPolicy = z.infer<typeof LandPolicy>;

/** How work is reviewed. */
export const ReviewSettings = z.object({
  reviewers: z
    .array(z.string().min(1))
    .max(8)
    .default([])
    .describe('Agents that review the work of each task in a run: ["claude:opus", "codex"]. Default: none.'),
  rebuttal: z.boolean().default(false).describe('One more round when reviewers disagree.'),
  prove: z
    .boolean()
    .default(true)
    .describe('Accepted blocking findings get a test, where the project has a test gate.'),
  audit: z
    .boolean()
    .default(false)
    .describe(
      'When reviewers object, one more agent reviews the whole change for architecture or production.',
    ),
  mutants: z
    .int()
    .min(0)
    .max(20)
    .default(0)
    .describe(
      'Number of mutants of the changed lines to test first; reviewers see those that no test noticed.',
    ),
  timeoutSeconds: z
    .int()
    .positive()
    .default(180)
    .describe('Time limit for each reviewer; a late reviewer counts as absent.'),
});
export type ReviewSettings = z.infer<typeof ReviewSettings>;

/** What happens to an attempt without a valid handoff. */
export const HandoffPolicy = z.object({
  partial: z
    .enum(['proceed', 'retry_once', 'escalate'])
    .default('proceed')
    .describe('Only notes that can be used.'),
  fallback: z.enum(['escalate', 'retry_once']).default('escalate').describe('Not even those.'),
});
export type HandoffPolicy = z.infer<typeof HandoffPolicy>;

export const Challenged = z.enum(['spec', 'plan']);
export type Challenged = z.infer<typeof Challenged>;

export const RunSettings = z.object({
  agent: z.string(),
  autonomy: Autonomy,
  parallel: z.int().min(1),
  loop: LoopPolicy,
  halt: HaltRule,
  attemptTimeoutMs: z.int().min(1),
  limits: AgentLimits.omit({ wallMs: true })
    .optional()
    .describe('Limits of one attempt, in addition to its time.'),
  budget: Budget,
  prices: z
    .record(z.string(), Price)
    .describe("The project's own prices when the run started, so that a resumed run uses the same."),
  fallback: Fallback,
  scenario: Scenario.nullable().describe(
    'What the scripted agent does; part of the run, so that it can be resumed.',
  ),
  land: LandPolicy.describe("Whether the result moves the user's branch."),
  mayUpdateCheckout: z.boolean().describe('A clean checkout of the target may be updated.'),
  unproven: z
    .string()
    .optional()
    .describe('Who decided that the result may land although nothing was run on it: `ada (terminal)`.'),
  roles: z
    .record(z.string(), z.string())
    .describe('Agent of a role, where it is not the one of the run: { "verifier": "codex" }.'),
  questionDeadlineMs: z
    .int()
    .min(1)
    .nullable()
    .describe('How long a question waits before its default; null: for ever.'),
  contractChanges: ContractPolicy.default('ask').describe('Changes of the contract that tasks ask for.'),
  handoffs: HandoffPolicy.optional().describe('Attempts without a valid handoff.'),
  review: ReviewSettings.optional().describe('Missing: no review.'),
  challenge: z
    .array(Challenged)
    .optional()
    .describe('Which documents of the plan phase are attacked by a challenger. Missing: none.'),
  workflow: z
    .string()
    .optional()
    .describe('Workflow that agents of tasks are led through. Missing: they work in one go.'),
});
export type RunSettings = z.infer<typeof RunSettings>;

export const defaultLimits: Omit<AgentLimits, 'wallMs'> = {
  inactivityMs: 10 * 60_000,
  turns: null,
  tokens: null,
  usd: null,
};

export const defaultSettings: RunSettings = {
  agent: 'scripted',
  autonomy: 'interactive',
  parallel: 4,
  loop: { max: 3, onNoProgress: 'escalate', onExhausted: 'escalate' },
  halt: { minFailures: 3, ratio: 0.3 },
  attemptTimeoutMs: 30 * 60_000,
  limits: defaultLimits,
  budget: noBudget,
  prices: {},
  fallback: 'tier-down',
  scenario: null,
  land: 'never',
  mayUpdateCheckout: false,
  roles: {},
  questionDeadlineMs: null,
  contractChanges: 'ask',
};

export const Question = z.object({
  id: z.string(),
  about: z.string().nullable().describe('The step it is about; null when about the run.'),
  kind: z.enum(['escalation', 'halt', 'budget', 'plan', 'findings', 'land', 'contract']),
  text: z.string(),
  options: z.array(z.object({ value: z.string(), effect: z.string() })).min(1),
  evidence: z.array(z.string()),
  default: z.string(),
  deadline: z.iso.datetime().nullable(),
  changes: z.array(ContractChange).optional().describe('Of kind contract: the requested change.'),
  findings: z.array(z.string()).optional().describe('Of kind findings: their ids.'),
  reason: z.string().optional().describe('Of kind land: why it has not landed yet.'),
  next: z.string().optional().describe('Of kind land: a command of git that finishes it.'),
});
export type Question = z.infer<typeof Question>;

/** `{ command: 'joinery questions answer a-2 retry', effect: 'try again', task: 'a' }`: can be pasted unchanged. */
export interface NextCommand {
  readonly command: string;
  /** What it does, unless its name says so; may be empty. */
  readonly effect: string;
  /** The task it concerns; null when it concerns the run. */
  readonly task: string | null;
}

/** What an agent spent since its last report. */
export const Usage = z.object({
  in: z.number().nonnegative().describe('Tokens, cached ones included.'),
  out: z.number().nonnegative(),
  usd: z.number().nonnegative().describe('0 when the agent does not say.'),
  cached: z.number().nonnegative().optional().describe('Part of `in` that was read from a cache.'),
  written: z.number().nonnegative().optional().describe('Part of `in` that was written to a cache.'),
  reasoning: z.number().nonnegative().optional().describe('Part of `out` that was thought, not said.'),
  turns: z.int().nonnegative().optional().describe('Answers of the model.'),
  model: z.string().optional().describe('If it differs from the one the attempt started with.'),
});
export type Usage = z.infer<typeof Usage>;

const usageKeys = ['in', 'out', 'usd', 'cached', 'written', 'reasoning', 'turns'] as const;

export function addUsage(total: Usage, more: Usage): void {
  for (const key of usageKeys) if (more[key]) total[key] = (total[key] ?? 0) + more[key];
}

/** The difference between a total and a part of it; null when there is none. */
export function usageBeyond(total: Usage, part: Usage): Usage | null {
  const rest: Usage = { in: 0, out: 0, usd: 0 };
  for (const key of usageKeys) {
    const more = (total[key] ?? 0) - (part[key] ?? 0);
    if (more > 0) rest[key] = more;
  }
  return usageKeys.some((key) => rest[key]) ? rest : null;
}

/** A claim about a task's work, who checked it, and its evidence. */
export const RunClaim = z.object({
  task: z.string(),
  claim: z.string(),
  verifiedBy: z
    .string()
    .describe('The check, command or method that proves it; "nobody" if it is only claimed.'),
  status: CheckResult.shape.status,
  evidence: z.string().optional().describe('Commit it was seen on, or id of the evidence of a gate.'),
});
export type RunClaim = z.infer<typeof RunClaim>;

export const RunReport = z.object({
  schema: z.literal('joinery/run@1'),
  run: z.string(),
  status: RunStatus,
  reason: z.string().optional(),
  base: z.string(),
  integration: z.object({ branch: z.string(), commit: z.string() }),
  tasks: z.array(
    z.object({
      id: z.string(),
      status: StepStatus,
      branch: z.string(),
      commit: z.string().nullable(),
      attempts: z.int(),
      claims: z
        .array(ProvenClaim)
        .default([])
        .describe('What gates showed about the last attempt, with the evidence.'),
      reason: z.string().optional(),
      incidents: z
        .array(z.string())
        .optional()
        .describe('Side effects of its attempts, each with its attempt.'),
    }),
  ),
  claims: z
    .array(RunClaim)
    .default([])
    .describe('Everything that is claimed about the last attempt of each task.'),
  spec: z.string().optional().describe('The spec it started from.'),
  target: z.string().nullable().default(null).describe('Branch that the result is for.'),
  phases: z
    .array(z.object({ phase: z.string(), status: z.enum(['pass', 'fail']), detail: z.string() }))
    .default([])
    .describe('What came before and after the tasks.'),
  landed: z
    .object({ ref: z.string(), before: z.string(), after: z.string(), receipt: z.string() })
    .nullable()
    .default(null)
    .describe('null: the target was not moved by this run.'),
  checked: z
    .object({
      together: z.array(z.string()).describe('Branches that were checked against each other, as they are.'),
      not: z.array(z.object({ what: z.string(), why: z.string() })),
    })
    .default({ together: [], not: [] })
    .describe('What the answer rests on, and what it says nothing about.'),
  questions: z.array(Question).describe('Open ones.'),
  degraded: z.array(z.string()),
  containment: z.string().optional().describe('How its programs ran: contained (…), not contained (why).'),
  cost: Spending,
  budget: Budget,
  exitCode: z.int(),
});
export type RunReport = z.infer<typeof RunReport>;

export const RunsReport = z.object({
  schema: z.literal('joinery/runs@1'),
  runs: z
    .array(
      z.object({
        run: z.string(),
        status: RunStatus,
        createdAt: z.iso.datetime(),
        accepted: z.int(),
        tasks: z.int(),
        questions: z.int().describe('Open ones.'),
        holder: z.string().nullable().describe('The process that drives it now.'),
        damaged: z
          .boolean()
          .optional()
          .describe(
            'Its log cannot be read: the numbers are not known, and all that is left is to prune it.',
          ),
      }),
    )
    .describe('Newest first.'),
});
export type RunsReport = z.infer<typeof RunsReport>;

export const QuestionsReport = z.object({
  schema: z.literal('joinery/questions@1'),
  questions: z.array(Question.extend({ run: z.string(), answer: z.string().nullable() })),
});
export type QuestionsReport = z.infer<typeof QuestionsReport>;

export const RebuildReport = z.object({
  schema: z.literal('joinery/rebuild@1'),
  run: z.string(),
  folders: z.array(z.string()),
  files: z.int(),
});
export type RebuildReport = z.infer<typeof RebuildReport>;

export const PruneReport = z.object({
  schema: z.literal('joinery/prune@1'),
  isDone: z.boolean().describe('False when only asked what would go.'),
  runs: z.array(
    z.object({
      run: z.string(),
      status: RunStatus,
      refs: z.array(z.string()),
      worktrees: z.array(z.string()),
      unmerged: z
        .array(z.string())
        .describe('Branches of accepted tasks that no other branch or tag contains: this work is lost.'),
    }),
  ),
  kept: z
    .array(z.object({ run: z.string(), status: RunStatus, unmerged: z.array(z.string()) }))
    .describe('Runs that stay because their accepted work is not merged anywhere; --force removes them.'),
  integrations: z
    .array(
      z.object({
        id: z.string(),
        branch: z.string(),
        isLanded: z.boolean(),
        keeps: z.string().nullable().describe('Why it stays; null when it goes.'),
        refs: z.array(z.string()).describe('What goes: the receipt of what landed stays.'),
      }),
    )
    .optional()
    .describe('Results of `joinery integrate <branch>…` on separate branches.'),
  saved: z
    .array(z.string())
    .optional()
    .describe(
      'What no branch has any more and is kept under refs/joinery/kept/, with the command that brings it back.',
    ),
});
export type PruneReport = z.infer<typeof PruneReport>;
