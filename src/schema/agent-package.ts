import { z } from 'zod';

const line = z.string().trim().min(1).max(2000);
const lines = z.array(line).max(100).default([]);

/** The work package for an agent that works for another one. Nothing starts without a goal and a way to tell that it is reached. */
export const AgentPackage = z.strictObject({
  goal: line,
  whyThisMatters: line.optional(),
  knownFacts: lines,
  alreadyRuledOut: lines.describe('What was tried or considered and does not work.'),
  constraints: lines,
  definitionOfDone: z.array(line).min(1).max(100),
  budget: line.optional().describe('Time, tokens or money, in words.'),
});
export type AgentPackage = z.infer<typeof AgentPackage>;
