import { z } from 'zod';
import { AgentConfig, McpServer } from '#schema/agent.ts';
import { confirmPattern, confirmWays } from '#schema/confirm.ts';
import { GateSettings } from '#schema/gates.ts';
import { Glob, Globs } from '#schema/glob.ts';
import { GroundingPolicy } from '#schema/grounding.ts';
import { Provisioning } from '#schema/provisioning.ts';
import {
  Autonomy,
  Challenged,
  ContractPolicy,
  Fallback,
  HandoffPolicy,
  LandPolicy,
  ReviewSettings,
} from '#schema/run.ts';
import { Price } from '#schema/spending.ts';
import { blockPolicies } from '#schema/verdict.ts';
import { severities } from '#schema/vocabulary.ts';

const gibibyte = 1024 ** 3;
const confirmHint = 'it is "none", or a list of types, build, tests: "types,tests"';

const Ignore = z
  .object({
    path: Glob.optional().describe('Glob of files, from the top of the repository.'),
    symbol: z.string().optional().describe('Symbol id: <path>#<Container.>name.'),
    id: z.string().optional().describe('Id of one finding, or its first eight characters or more.'),
    rule: z.string().optional().describe('Id of a rule: S01.'),
    reason: z.string().min(1).describe('Why this is not a problem; shown in reports.'),
    expires: z.iso.date().optional().describe('Last day the entry counts: 2027-01-31.'),
  })
  .refine(({ path, symbol, id, rule }) => [path, symbol, id, rule].some((part) => part !== undefined), {
    message: 'needs at least one of "path", "symbol", "id", "rule"',
  });

/** The settings of a project. Every key has a default, so that no file is needed. */
export const Config = z
  .object({
    $schema: z.string().optional().describe('Lets editors complete and check this file.'),
    base: z
      .string()
      .min(1)
      .optional()
      .describe("What branches are compared with. Default: the repository's default branch."),
    branches: z
      .array(z.string().min(1))
      .optional()
      .describe(
        'Branches to check when none is named. Default: the unmerged local branches, at most --newest of them, and all linked worktrees.',
      ),
    block: z
      .enum(blockPolicies)
      .default('likely')
      .describe(
        'What stops work. proven: what would break and was judged true. likely: that, and what would break and nobody has judged is undecided. important: important findings fail too.',
      ),
    confirm: z
      .union([z.string().regex(confirmPattern, confirmHint), z.array(z.enum(confirmWays))], {
        error: confirmHint,
      })
      .default('types')
      .describe(
        'What proves a candidate on the union: a list of types (type checkers), build and tests, which run code of the branches; or none, nothing beyond the facts.',
      ),
    checkers: z
      .object({
        timeoutSeconds: z
          .int()
          .positive()
          .default(120)
          .describe('CPU time that a type checker may take for one tree.'),
      })
      .prefault({})
      .describe('Type checkers.'),
    ignore: z.array(Ignore).default([]).describe('Findings that are known and accepted.'),
    rules: z
      .record(z.string(), z.enum([...severities, 'off']))
      .default({})
      .describe('Severity of a rule, or "off": { "S17": "minor" }.'),
    python: z
      .object({
        roots: z
          .array(z.string())
          .default([])
          .describe('Folders that Python imports start from, in addition to those found.'),
      })
      .prefault({})
      .describe('Python.'),
    cache: z
      .object({
        maxBytes: z
          .int()
          .positive()
          .default(2 * gibibyte)
          .describe('Size at which the oldest facts and outcomes are dropped.'),
      })
      .prefault({})
      .describe('Facts kept between runs.'),
    run: z
      .object({
        parallel: z.int().min(1).max(200).default(4).describe('Tasks that are worked on at a time.'),
        autonomy: Autonomy.default('interactive').describe(
          'interactive: questions wait for a person. autopilot: their default is taken, visibly.',
        ),
        attemptMinutes: z.number().positive().default(30).describe('Time an agent has for one attempt.'),
        inactivityMinutes: z
          .number()
          .positive()
          .default(10)
          .describe('Silence after which an agent is ended, unless one of its tools is running.'),
        attemptTurns: z.int().min(1).optional().describe('Answers of the model in one attempt.'),
        attemptTokens: z.int().min(1).optional().describe('Tokens in one attempt, in and out.'),
        attemptUsd: z.number().positive().optional().describe('Money for one attempt.'),
        questionMinutes: z
          .number()
          .positive()
          .optional()
          .describe('Time after which a question takes its default. Default: it waits.'),
        contractChanges: ContractPolicy.default('ask').describe(
          'Changes of the contract that tasks ask for: ask a person, accept or refuse them.',
        ),
        maxAgents: z
          .int()
          .min(1)
          .default(16)
          .describe('How many agents may run at the same time, over all runs on this machine.'),
        fallback: Fallback.default('tier-down').describe(
          'After a failure of the model API or a limit. tier-down: the next smaller model, and without one the run halts. none: as after any failure.',
        ),
        agent: z
          .string()
          .min(1)
          .optional()
          .describe('Who does the work, unless a flag, a role or a task says otherwise.'),
        land: LandPolicy.default('ask').describe(
          'Whether a finished run moves your branch. ask: a person decides. never: the result stays on its integration branch.',
        ),
        handoffs: HandoffPolicy.prefault({}).describe(
          'What becomes of an attempt without a valid handoff. retry_once: one more, and the better one counts.',
        ),
        challenge: z
          .array(Challenged)
          .default([])
          .describe(
            'What a challenger who sees the document alone attacks before tasks begin: ["spec", "plan"]. A plan with objections is made again, twice at most; everything else is asked.',
          ),
        workflow: z
          .string()
          .min(1)
          .optional()
          .describe(
            'Workflow that the agent of every task is led through, one step at a time: "coding-task". A task of a plan may name another, or "none". Default: agents work in one go.',
          ),
        protected: Globs.default([]).describe(
          'Branches that Joinery never moves, as globs: ["main", "release/*"].',
        ),
      })
      .prefault({})
      .describe('Crews.'),
    agents: z
      .object({
        roles: z
          .record(z.string(), z.string())
          .optional()
          .describe('Agent of a role: { "architect": "claude", "verifier": "codex" }.'),
      })
      .catchall(AgentConfig)
      .default({})
      .describe(
        'By name: { "claude": { "models": { "strong": "opus" } } }; "roles" names the agent of a role.',
      ),
    mcpServers: z
      .record(z.string().regex(/^[A-Za-z0-9_-]+$/), McpServer)
      .default({})
      .describe('Tools that every agent is handed.'),
    budget: z
      .object({
        usd: z.number().positive().optional().describe('Dollars one run may spend.'),
        tokens: z.int().positive().optional().describe('Tokens one run may spend, in and out.'),
      })
      .prefault({})
      .describe('Where a run stops and asks.'),
    prices: z
      .record(z.string(), Price)
      .default({})
      .describe(
        'Dollars for a million tokens by model, over our own table: { "my-model": { "in": 1, "out": 5 } }.',
      ),
    planning: z
      .object({
        vision: z
          .string()
          .min(1)
          .optional()
          .describe('Document that the product guardian compares specs with. Default: no guardian.'),
        warnLines: z
          .int()
          .positive()
          .default(3000)
          .describe('A task whose existing files have more lines is warned about.'),
        failLines: z
          .int()
          .positive()
          .default(6000)
          .describe('A task whose existing files have so many lines is refused.'),
        maxTasks: z.int().positive().default(10).describe('A spec that needs more tasks should be split.'),
      })
      .prefault({})
      .describe('Specs and plans.'),
    review: ReviewSettings.prefault({}).describe('How work is reviewed.'),
    worktree: Provisioning.prefault({}).describe('What a fresh worktree is given.'),
    workflows: z
      .object({
        folders: z
          .array(z.string().min(1))
          .default([])
          .describe('Further folders with workflow files, from the top of the repository or absolute.'),
        keepDays: z
          .int()
          .positive()
          .default(30)
          .describe('Age at which joinery workflow prune removes runs that are over.'),
      })
      .prefault({})
      .describe('Step-by-step workflows.'),
    gates: GateSettings.prefault({}).describe('Quality gates.'),
    grounding: GroundingPolicy.prefault({}).describe("What is asked of an agent's work without a model."),
  })
  .describe('Settings of Joinery for one project.');
export type Config = z.infer<typeof Config>;
