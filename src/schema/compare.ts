import { z } from 'zod';
import { Clash, RunStatus } from './run.ts';
import { Spending } from './spending.ts';

const ComparedRun = z.object({
  run: z.string(),
  status: RunStatus,
  reason: z.string(),
  exitCode: z.int(),
  fork: z
    .object({ from: z.string(), at: z.string(), agent: z.string().nullable(), model: z.string().nullable() })
    .nullable()
    .describe('null: it is not a fork.'),
  base: z.string(),
  landed: z.string().nullable().describe('Branch that it moved; null: none.'),
  result: z
    .object({ commit: z.string(), tree: z.string() })
    .nullable()
    .describe('What landed, or would; null when the commit is gone.'),
  cost: Spending.describe('All that its result took.'),
  reused: Spending.describe('Part of it that the run it was forked from had paid.'),
  agentMs: z.int().describe('How long its agents worked, what it took over included.'),
  wallMs: z.int().describe('From its creation, or its fork, to its last event.'),
});

const TaskEnd = z.object({
  status: z.string(),
  attempts: z.int(),
  agent: z.string().nullable().describe('Who made the last attempt.'),
  model: z.string().nullable(),
  usd: z.number(),
  tokens: z.number(),
});

/** Two runs side by side. */
export const CompareReport = z.object({
  schema: z.literal('joinery/compare@1'),
  runs: z.tuple([ComparedRun, ComparedRun]),
  tasks: z
    .array(z.object({ id: z.string(), ends: z.tuple([TaskEnd.nullable(), TaskEnd.nullable()]) }))
    .describe('null: that run has no such task.'),
  findings: z
    .array(
      Clash.pick({ id: true, rule: true, message: true, owner: true }).extend({
        ends: z.tuple([z.enum(['none', 'open', 'fixed']), z.enum(['none', 'open', 'fixed'])]),
      }),
    )
    .describe('What was found where the work of tasks meets. none: that run did not meet it.'),
  diff: z
    .object({
      isSame: z.boolean(),
      files: z.array(
        z.object({
          path: z.string(),
          change: z.enum(['added', 'modified', 'deleted']).describe('From the first run to the second.'),
          added: z.int().nullable().describe('Lines; null for a binary file.'),
          deleted: z.int().nullable(),
        }),
      ),
      command: z.string().describe('Shows the lines.'),
    })
    .nullable()
    .describe('Between the trees that landed, or would; null when one of them is gone.'),
});
export type CompareReport = z.infer<typeof CompareReport>;
