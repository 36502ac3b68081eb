import { z } from 'zod';
import { agentOutcomes } from './agent.ts';

export const ScenarioAction = z.union([
  z.strictObject({ write: z.object({ path: z.string().min(1), content: z.string() }) }),
  z.strictObject({
    edit: z.object({ path: z.string().min(1), find: z.string().min(1), replace: z.string() }),
  }),
  z.strictObject({ delete: z.string().min(1) }),
  z.strictObject({ say: z.string() }),
  z.strictObject({ sleepMs: z.number().nonnegative() }),
  z.strictObject({
    awaits: z.string().min(1).describe('A task: waits until its work is accepted.'),
  }),
  z.strictObject({
    usage: z.object({
      in: z.number().nonnegative().default(0),
      out: z.number().nonnegative().default(0),
      usd: z.number().nonnegative().default(0),
    }),
  }),
  z.strictObject({
    handoff: z.unknown().describe('Passed on as it is; fields left out of an object get empty values.'),
  }),
  z.strictObject({ exit: z.enum(agentOutcomes) }),
]);
export type ScenarioAction = z.infer<typeof ScenarioAction>;

export const ScenarioAttempt = z
  .object({
    task: z.string().optional(),
    role: z.string().optional(),
    step: z
      .string()
      .optional()
      .describe('Which step of the workflow of its task it plays; without it, every step.'),
    n: z.int().positive().optional().describe('Which attempt it plays; without it, every attempt.'),
    do: z.array(ScenarioAction),
    whenTold: z
      .array(ScenarioAction)
      .optional()
      .describe('What it does when a conflict is reported before it finishes; default: nothing.'),
  })
  .refine((attempt) => attempt.task !== undefined || attempt.role !== undefined, 'needs a task or a role');
export type ScenarioAttempt = z.infer<typeof ScenarioAttempt>;

export const Scenario = z.object({
  schema: z.literal('joinery/scenario@1'),
  attempts: z.array(ScenarioAttempt),
});
export type Scenario = z.infer<typeof Scenario>;

/**
 * The script for an attempt. A script for one step precedes one for all steps, an exact number "every attempt", a task a role; then the
 * first one wins.
 */
export function scriptFor(
  scenario: Scenario,
  wanted: { task: string; role: string; n: number; step?: string | undefined },
): ScenarioAttempt | null {
  const matching = scenario.attempts.filter(
    (attempt) =>
      (attempt.task === undefined || attempt.task === wanted.task) &&
      (attempt.role === undefined || attempt.role === wanted.role) &&
      (attempt.step === undefined || attempt.step === wanted.step) &&
      (attempt.n === undefined || attempt.n === wanted.n),
  );
  const score = (attempt: ScenarioAttempt) =>
    (attempt.step === undefined ? 0 : 4) +
    (attempt.n === undefined ? 0 : 2) +
    (attempt.task === undefined ? 0 : 1);
  return matching.toSorted((a, b) => score(b) - score(a))[0] ?? null;
}
