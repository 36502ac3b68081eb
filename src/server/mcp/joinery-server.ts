import { resolve } from 'node:path';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { demandOwnRepository } from '#app/workplace/own-repository.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { isJoineryError } from '#schema/errors.ts';
import type { Rooms } from './rooms.ts';
import type { Shelf } from './shelf.ts';
import { productTools } from './tools/product-tools.ts';
import type { McpTool, ToolCall } from './tools/tool.ts';
import { workflowTools } from './tools/workflow-tools.ts';

export interface ServerOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** Byte limit of an answer; a longer one becomes a resource. */
  readonly mostBytes?: number;
  warn(message: string): void;
}

/** Loaded by the first call: clients want the list of tools at once, and the workflow code is large. */
const desk = () => import('./tools/workflow-desk.ts');

const defaultMostBytes = 64 * 1024;

const instructions =
  'Joinery proves that pieces of work fit together. Use check before merging branches. For a task that has a workflow (list_workflows), start it and do one step at a time: the next step is shown when the current one is accepted.';

/** One server per client; rooms and long results are shared. */
export function joineryServer(options: ServerOptions, rooms: Rooms, shelf: Shelf): McpServer {
  const server = new McpServer(
    { name: 'joinery', version: options.version },
    { instructions, capabilities: { logging: {} } },
  );
  for (const each of [...workflowTools, ...productTools]) addTool(server, each, options, rooms, shelf);
  addResources(server, options, rooms, shelf);
  addPrompt(server);
  return server;
}

function addTool(
  server: McpServer,
  definition: McpTool,
  options: ServerOptions,
  rooms: Rooms,
  shelf: Shelf,
): void {
  const { name, title, description, input, output, isReadOnly } = definition;
  // A result that is too long is handed over as a resource, so the fields of the report cannot be required.
  const bounded = z.looseObject({ ...output.partial().shape, resource: resourceField });
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: input,
      outputSchema: bounded,
      annotations: {
        title,
        readOnlyHint: isReadOnly,
        destructiveHint: definition.isDestructive ?? definition.runsCommands ?? false,
        idempotentHint: definition.isIdempotent ?? isReadOnly,
        openWorldHint: definition.runsCommands ?? false,
      },
    },
    async (args: unknown, extra) => {
      let step = 0;
      const progressToken = extra._meta?.progressToken;
      const progress = (message: string) => {
        if (progressToken === undefined || message === '') return;
        step += 1;
        const params = { progressToken, progress: step, message };
        extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {});
      };
      const at = (workspacePath: string | undefined): Surroundings => ({
        cwd: resolve(options.cwd, workspacePath ?? '.'),
        env: options.env,
        terminal: { warn: options.warn, progress },
        onInterrupt: (cleanup) => {
          const listener = () => void cleanup().catch(() => {});
          extra.signal.addEventListener('abort', listener, { once: true });
          return () => extra.signal.removeEventListener('abort', listener);
        },
      });
      const borrowed: (() => void)[] = [];
      const call: ToolCall = {
        at,
        workflows: async (workspacePath) => {
          const { room, release } = await rooms.borrow(resolve(options.cwd, workspacePath ?? '.'));
          borrowed.push(release);
          return room;
        },
        signal: extra.signal,
      };
      try {
        await demandOwnRepository(options.cwd, (args as { workspacePath?: string }).workspacePath);
        const result = await definition.run(args as never, call);
        return answerOf(definition, result, shelf, options.mostBytes ?? defaultMostBytes);
      } catch (error) {
        return failure(error);
      } finally {
        for (const release of borrowed) release();
      }
    },
  );
}

const resourceField = z
  .string()
  .optional()
  .describe('Where the whole result is, if it is too long for an answer.');

function answerOf(definition: McpTool, result: object, shelf: Shelf, mostBytes: number): CallToolResult {
  const json = JSON.stringify(result);
  const text = definition.text?.(result as never) ?? JSON.stringify(result, null, 2);
  const bytes = Buffer.byteLength(json) + Buffer.byteLength(text);
  if (bytes <= mostBytes) return { content: [{ type: 'text', text }], structuredContent: { ...result } };
  const uri = shelf.put(json);
  const { status, sessionId, nodeId, continueToken, kind } = result as Record<string, unknown>;
  const known = Object.fromEntries(
    Object.entries({ status, sessionId, nodeId, continueToken, kind }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const note = `The result has ${bytes} bytes and is too long for an answer. Read the resource ${uri}.`;
  return {
    content: [
      { type: 'text', text: `${note}\n${JSON.stringify(known)}` },
      { type: 'resource_link', uri, name: `result of ${definition.name}`, mimeType: 'application/json' },
    ],
    structuredContent: { ...known, resource: uri },
  };
}

/** Errors that a person or an agent can fix are answers; so is a defect of ours, without its internals. */
function failure(error: unknown): CallToolResult {
  const facts = isJoineryError(error)
    ? { code: error.code, message: error.message, hint: error.hint, retry: error.retry }
    : { code: 'INTERNAL_ERROR', message: (error as Error)?.message ?? String(error), hint: '', retry: false };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify({ error: facts }, null, 2) }] };
}

function addResources(server: McpServer, options: ServerOptions, rooms: Rooms, shelf: Shelf): void {
  const asJson = (uri: URL, text: string) => ({
    contents: [{ uri: uri.href, mimeType: 'application/json', text }],
  });
  server.registerResource(
    'result',
    new ResourceTemplate('joinery://results/{id}', {
      list: () => ({
        resources: shelf.list().map((uri) => ({ uri, name: uri.slice(uri.lastIndexOf('/') + 1) })),
      }),
    }),
    { title: 'A result that was too long for an answer', mimeType: 'application/json' },
    (uri) => asJson(uri, shelf.get(uri.href)),
  );
  server.registerResource(
    'workflow',
    new ResourceTemplate('joinery://workflows/{id}', { list: undefined }),
    { title: 'A workflow with the outline of its steps', mimeType: 'application/json' },
    async (uri, { id }) => {
      const { showWorkflow } = await desk();
      return rooms.use(options.cwd, (room) => asJson(uri, JSON.stringify(showWorkflow(room, String(id)))));
    },
  );
  server.registerResource(
    'run',
    new ResourceTemplate('joinery://runs/{run}', { list: undefined }),
    { title: 'A run of a workflow: every step with its notes', mimeType: 'application/json' },
    async (uri, { run }) => {
      const { chooseWorkflowRun, workflowStatus } = await desk();
      return rooms.use(options.cwd, (room) =>
        asJson(uri, JSON.stringify(workflowStatus(room, chooseWorkflowRun(room, String(run))))),
      );
    },
  );
  server.registerResource(
    'workflows',
    'joinery://workflows',
    { title: 'All workflows', mimeType: 'application/json' },
    async (uri) => {
      const { listWorkflows } = await desk();
      return rooms.use(options.cwd, (room) => asJson(uri, JSON.stringify(listWorkflows(room))));
    },
  );
}

function addPrompt(server: McpServer): void {
  server.registerPrompt(
    'start-workflow',
    {
      title: 'Start a workflow',
      description: 'Work on a goal step by step, following a workflow.',
      argsSchema: {
        workflow: z.string().describe('Id of the workflow.'),
        goal: z.string().describe('What is to be achieved.'),
      },
    },
    ({ workflow, goal }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'text',
            text: `Call start_workflow with workflowId ${JSON.stringify(workflow)} and goal ${JSON.stringify(goal)}. Do the step it returns, hand it in with continue_workflow, and go on until isComplete is true. Do not skip a step and do not guess later ones.`,
          },
        },
      ],
    }),
  );
}
