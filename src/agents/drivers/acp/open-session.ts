import type { z } from 'zod';
import type { AgentRequest } from '#agents/driver.ts';
import type { McpServer } from '#schema/agent.ts';
import type { AcpAgent } from './agents.ts';
import { type JsonRpc, RpcError } from './json-rpc.ts';
import { type InitializeResult, SessionResult } from './protocol.ts';

type Hello = z.infer<typeof InitializeResult>;

interface Opened {
  readonly session: string;
  readonly model: string | null;
}

/** A session with the right folder, mode and model: resumes the earlier one if possible, otherwise creates a new one. */
export async function openSession(
  rpc: JsonRpc,
  agent: AcpAgent,
  request: AgentRequest,
  hello: Hello,
): Promise<Opened> {
  const place = { cwd: request.cwd, mcpServers: mcpServersFor(request, hello) };
  const earlier = canResume(agent, hello) ? (request.resume?.session ?? null) : null;
  const result = SessionResult.parse(
    earlier === null
      ? await rpc.request('session/new', place)
      : ((await rpc.request(agent.resume ?? '', { ...place, sessionId: earlier })) ?? {}),
  );
  const session = earlier ?? result.sessionId;
  if (!session) throw new Error('session/new gave no session');
  await chooseMode(rpc, session, result, agent.modes[request.mode]);
  const model =
    request.model !== null && agent.modelBy === 'argument'
      ? request.model
      : await chooseModel(rpc, session, result, request.model);
  return { session, model };
}

function canResume({ resume }: AcpAgent, { agentCapabilities }: Hello): boolean {
  if (resume === 'session/load') return agentCapabilities?.loadSession === true;
  return resume === 'session/resume' && agentCapabilities?.sessionCapabilities?.resume != null;
}

function mcpServersFor({ mcpServers }: AgentRequest, { agentCapabilities }: Hello): object[] {
  const pairs = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => ({ name, value }));
  return Object.entries(mcpServers).map(([name, server]: [string, McpServer]) => {
    if ('command' in server)
      return { name, command: server.command, args: server.args, env: pairs(server.env) };
    if (!agentCapabilities?.mcpCapabilities?.http)
      throw new RpcError(0, `it takes no MCP servers over HTTP, and ${name} is one`);
    return { type: 'http', name, url: server.url, headers: pairs(server.headers) };
  });
}

/** Each agent names its modes differently. Without the mode we want, our permission answers still apply. */
async function chooseMode(
  rpc: JsonRpc,
  sessionId: string,
  { modes, configOptions }: SessionResult,
  wanted: string | undefined,
): Promise<void> {
  if (wanted === undefined) return;
  if (modes?.availableModes.some(({ id }) => id === wanted)) {
    if (modes.currentModeId !== wanted) await rpc.request('session/set_mode', { sessionId, modeId: wanted });
    return;
  }
  await choose(rpc, sessionId, configOptions, 'mode', wanted);
}

/** The name of the model that answers. A model that cannot be selected is an error: otherwise another would answer. */
async function chooseModel(
  rpc: JsonRpc,
  sessionId: string,
  { models, configOptions }: SessionResult,
  wanted: string | null,
): Promise<string | null> {
  const option = configOptions?.find(({ category, id }) => category === 'model' || id === 'model');
  const current = nameOf(models) ?? option?.currentValue ?? null;
  if (wanted === null) return current;
  if (option) {
    await choose(rpc, sessionId, configOptions, 'model', wanted);
    return wanted;
  }
  const listed = models?.availableModels.find(({ modelId, name }) => modelId === wanted || name === wanted);
  if (!listed) throw new RpcError(0, `it has no model ${JSON.stringify(wanted)} to choose`);
  const { modelId } = listed;
  if (models?.currentModelId !== modelId) await rpc.request('session/set_model', { sessionId, modelId });
  return wanted;
}

async function choose(
  rpc: JsonRpc,
  sessionId: string,
  options: SessionResult['configOptions'],
  category: string,
  value: string,
): Promise<void> {
  const option = options?.find((each) => each.category === category || each.id === category);
  if (!option || option.currentValue === value) return;
  if (!option.options?.some((values) => values.includes(value)))
    throw new RpcError(0, `it has no ${category} ${JSON.stringify(value)}`);
  await rpc.request('session/set_config_option', { sessionId, configId: option.id, value });
}

function nameOf(models: SessionResult['models']): string | undefined {
  const current = models?.availableModels.find(({ modelId }) => modelId === models.currentModelId);
  return current?.name ?? models?.currentModelId;
}
