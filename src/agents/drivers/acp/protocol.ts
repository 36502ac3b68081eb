import { z } from 'zod';

/** The part of the Agent Client Protocol, version 1, that Joinery uses. Parsing is lenient: agents differ. */
export const protocolVersion = 1;

/** A field that is missing, null or of another shape than promised counts as missing. */
function loose<T extends z.ZodType>(schema: T) {
  return schema.nullish().catch(undefined);
}

const count = z.number().nonnegative();

export const InitializeResult = z.object({
  protocolVersion: z.number(),
  agentCapabilities: loose(
    z.object({
      loadSession: loose(z.boolean()),
      mcpCapabilities: loose(z.object({ http: loose(z.boolean()) })),
      sessionCapabilities: loose(z.object({ resume: loose(z.unknown()) })),
    }),
  ),
  agentInfo: loose(z.object({ name: z.string(), version: loose(z.string()) })),
  authMethods: loose(z.array(z.object({ id: z.string(), name: loose(z.string()) }))),
});

const Selectable = z.object({
  id: z.string(),
  category: loose(z.string()),
  currentValue: loose(z.string()),
  options: loose(
    z.array(
      z.union([
        z.object({ value: z.string() }).transform(({ value }) => [value]),
        z
          .object({ options: z.array(z.object({ value: z.string() })) })
          .transform(({ options }) => options.map(({ value }) => value)),
      ]),
    ),
  ),
});

export const SessionResult = z.object({
  sessionId: loose(z.string()),
  modes: loose(
    z.object({ currentModeId: z.string(), availableModes: z.array(z.object({ id: z.string() })) }),
  ),
  /** Before config options there was a separate list of models; agents still send it. */
  models: loose(
    z.object({
      currentModelId: z.string(),
      availableModels: z.array(z.object({ modelId: z.string(), name: loose(z.string()) })),
    }),
  ),
  configOptions: loose(z.array(Selectable.catch({ id: '' }))),
});
export type SessionResult = z.infer<typeof SessionResult>;

export const AcpUsage = z.object({
  totalTokens: loose(count),
  inputTokens: count,
  outputTokens: count,
  thoughtTokens: loose(count),
  cachedReadTokens: loose(count),
  cachedWriteTokens: loose(count),
});
export type AcpUsage = z.infer<typeof AcpUsage>;

export const PromptResult = z.object({
  stopReason: z.string(),
  usage: loose(AcpUsage),
  _meta: loose(z.record(z.string(), z.unknown())),
});

const ToolCall = {
  toolCallId: z.string(),
  title: loose(z.string()),
  kind: loose(z.string()),
  status: loose(z.string()),
  locations: loose(z.array(z.object({ path: z.string() }))),
  /** Only diffs name a file. */
  content: loose(z.array(z.object({ path: loose(z.string()) }))),
};

const Text = loose(z.object({ type: z.literal('text'), text: z.string() }));
const meta = loose(z.record(z.string(), z.unknown()));

export const SessionUpdate = z.discriminatedUnion('sessionUpdate', [
  z.object({ sessionUpdate: z.literal('agent_message_chunk'), content: Text, _meta: meta }),
  z.object({ sessionUpdate: z.literal('agent_thought_chunk'), content: Text, _meta: meta }),
  z.object({ sessionUpdate: z.literal('tool_call'), ...ToolCall }),
  z.object({ sessionUpdate: z.literal('tool_call_update'), ...ToolCall }),
  z.object({
    sessionUpdate: z.literal('usage_update'),
    used: loose(count),
    cost: loose(z.object({ amount: count, currency: z.string() })),
  }),
]);
export type SessionUpdate = z.infer<typeof SessionUpdate>;

export const SessionNotification = z.object({ sessionId: z.string(), update: z.unknown().optional() });

export const PermissionRequest = z.object({
  sessionId: z.string(),
  toolCall: z.object(ToolCall),
  options: z.array(z.object({ optionId: z.string(), kind: z.string() })),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;
