import { z } from 'zod';
import { agentOutcomes } from './agent.ts';
import { Usage } from './run.ts';

/** The abilities of an agent that can be relied on. */
export const AgentAbilities = z.object({
  readOnly: z
    .enum(['enforced', 'refused', 'none'])
    .describe(
      'enforced: its program cannot write. refused: it asks, and the answer is no. Both are compared after.',
    ),
  resume: z.boolean().describe('Takes up an earlier session.'),
  mcp: z.boolean(),
  tokens: z
    .enum(['each-answer', 'at-end', 'none'])
    .describe(
      'When it reports its spending. at-end: at the end of a prompt; limits of tokens and dollars have no effect before.',
    ),
  cost: z.enum(['reported', 'table', 'none']).describe('Where dollars come from.'),
});
export type AgentAbilities = z.infer<typeof AgentAbilities>;

export const AgentsReport = z.object({
  schema: z.literal('joinery/agents@1'),
  agents: z.array(
    z.object({
      name: z.string().describe('What --agent takes.'),
      title: z.string(),
      protocol: z.enum(['stream-json', 'exec-json', 'acp', 'built-in']),
      status: z
        .enum(['ready', 'untested', 'missing'])
        .describe('untested: not the version this Joinery was tested with, or it was tested with none.'),
      program: z.string().nullable(),
      version: z.string().nullable().describe('null: not installed, or it does not say.'),
      tested: z.string().nullable().describe('null: our tests run no version of it.'),
      install: z.string().describe('Command that installs the supported version; empty if there is none.'),
      works: AgentAbilities,
    }),
  ),
});
export type AgentsReport = z.infer<typeof AgentsReport>;

/** What an agent did with a two-line task in a scratch repository. */
export const TryReport = z.object({
  schema: z.literal('joinery/agent-try@1'),
  agent: z.string(),
  outcome: z.enum([...agentOutcomes, 'cancelled']),
  reason: z.string(),
  isDone: z
    .boolean()
    .describe('It ended well, and the file is there with the right line and no other change.'),
  version: z.string().nullable(),
  model: z.string().nullable(),
  session: z.string().nullable(),
  changed: z.array(z.string()),
  usage: Usage,
  ms: z.int(),
});
export type TryReport = z.infer<typeof TryReport>;
