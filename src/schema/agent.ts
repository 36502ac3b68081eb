import { z } from 'zod';

/** Class of model a task needs, cheapest first; a fallback steps down this list. */
export const ModelTier = z.enum(['fast', 'standard', 'strong']);
export type ModelTier = z.infer<typeof ModelTier>;

/** How an agent's session ended, as its driver sees it. */
export const agentOutcomes = ['ok', 'denied', 'limit', 'api_error', 'timeout', 'crashed'] as const;

/** Limits of one attempt. Null: no such limit. */
export const AgentLimits = z.object({
  wallMs: z.int().min(1),
  inactivityMs: z.int().min(1).describe('Silence while no tool is running; a retry counts as silence.'),
  turns: z.int().min(1).nullable().describe('Answers of the model.'),
  tokens: z.int().min(1).nullable().describe('In and out, cached ones included.'),
  usd: z.number().positive().nullable(),
});
export type AgentLimits = z.infer<typeof AgentLimits>;

const variables = z.record(z.string(), z.string()).default({});

export const McpServer = z.union([
  z.object({
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: variables.describe('Only for this server.'),
  }),
  z.object({ url: z.url(), headers: variables }),
]);
export type McpServer = z.infer<typeof McpServer>;

/** No program may take the whole machine; the minimum is what a small runtime needs to start. */
export const memoryLimit = z
  .int()
  .min(256 * 1024 ** 2)
  .optional()
  .describe(
    'Most memory that one process may write to. Default: 8 GiB, at most three quarters of the machine.',
  );

export const AgentConfig = z.object({
  command: z
    .string()
    .min(1)
    .optional()
    .describe('The executable. Default: the one installed by npm run agents:install, else the one on PATH.'),
  models: z
    .partialRecord(ModelTier, z.string().min(1))
    .default({})
    .describe('Model for each tier: { "fast": "…" }. Default: the agent\'s own choice.'),
  acp: z
    .array(z.string())
    .optional()
    .describe('Arguments that make an agent Joinery does not know speak the Agent Client Protocol.'),
  args: z.array(z.string()).default([]).describe('Further arguments for the executable.'),
  env: z
    .array(z.string().min(1))
    .default([])
    .describe('Names of further variables the agent may see. Others that could hold a secret are withheld.'),
  ambient: z
    .literal('none')
    .optional()
    .describe(
      'Your word that no file below the folder it starts in configures or instructs it. Only such an agent may review, plan and judge; known agents are tested for it.',
    ),
  memoryBytes: memoryLimit,
  sandbox: z
    .string()
    .regex(/\S/)
    .default('where-possible')
    .describe(
      'where-possible: bubblewrap, or the sandbox of the agent, and not contained where neither works. auto: the same, and an error where neither works. off: only the restrictions of the agent itself. Anything else is a command that starts the agent: "firejail --quiet".',
    ),
});
export type AgentConfig = z.infer<typeof AgentConfig>;

/** The project's settings for agents. */
export interface AgentSettings {
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly mcpServers: Readonly<Record<string, McpServer>>;
}

export const noAgentSettings: AgentSettings = { agents: {}, mcpServers: {} };
