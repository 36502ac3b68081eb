import { z } from 'zod';
import { parseJson } from '#lib/parse-json.ts';
import { UsageError } from '#schema/errors.ts';
import { OutlineStep, WorkflowEntry } from '#schema/workflow-reports.ts';
import { WorkflowAnswer } from '#schema/workflow-run.ts';
import { answerText } from './answer-text.ts';
import { tool } from './tool.ts';

/** Loaded by the first call: clients want the list of tools at once, and the workflow code is large. */
const desk = () => import('./workflow-desk.ts');

const workspacePath = z
  .string()
  .optional()
  .describe('Absolute path of the repository. Default: the folder the server was started in.');

const listTool = tool({
  name: 'list_workflows',
  title: 'List workflows',
  description:
    'Lists the workflows that can be started here: step-by-step procedures for tasks such as investigating a bug, reviewing code or shaping an idea.',
  input: z.strictObject({
    workspacePath,
    tags: z.array(z.string()).optional().describe('Only workflows with one of these tags.'),
  }),
  output: z.object({ workflows: z.array(WorkflowEntry.omit({ file: true })) }),
  isReadOnly: true,
  async run({ workspacePath: at, tags }, call) {
    const { listWorkflows } = await desk();
    const { workflows } = listWorkflows(await call.workflows(at));
    return {
      workflows: workflows
        .filter(
          (entry) => !entry.isRoutine && (tags === undefined || entry.tags.some((tag) => tags.includes(tag))),
        )
        .map(({ file: _, ...entry }) => entry),
    };
  },
});

const inspectTool = tool({
  name: 'inspect_workflow',
  title: 'Inspect a workflow',
  description: 'Shows what a workflow is for and, with mode "preview", the outline of its steps.',
  input: z.strictObject({
    workflowId: z.string(),
    mode: z.enum(['metadata', 'preview']).default('metadata'),
    workspacePath,
  }),
  output: z.object({
    workflow: WorkflowEntry.omit({ file: true }),
    steps: z.array(OutlineStep).optional(),
    preconditions: z.array(z.string()),
  }),
  isReadOnly: true,
  async run({ workflowId, mode, workspacePath: at }, call) {
    const { showWorkflow } = await desk();
    const { workflow, steps, preconditions } = showWorkflow(await call.workflows(at), workflowId);
    const { file: _, ...entry } = workflow;
    return { workflow: entry, preconditions, ...(mode === 'preview' ? { steps } : {}) };
  },
});

const startTool = tool({
  name: 'start_workflow',
  title: 'Start a workflow',
  description:
    'Starts a workflow and returns its first step. Do what pending.prompt says, then call continue_workflow with the continueToken. Later steps are hidden until the current one is accepted.',
  input: z.strictObject({
    workflowId: z.string(),
    goal: z.string().min(1).describe('What is to be achieved, in the words of the user.'),
    context: z.record(z.string(), z.unknown()).optional().describe('Variables the workflow starts with.'),
    workspacePath,
  }),
  output: WorkflowAnswer,
  isReadOnly: false,
  runsCommands: true,
  text: answerText,
  async run({ workflowId, goal, context, workspacePath: at }, call) {
    const { startWorkflow } = await desk();
    return startWorkflow(await call.workflows(at), {
      workflow: workflowId,
      goal,
      mode: 'interactive',
      ...(context ? { context } : {}),
    });
  },
});

const Artifacts = z.array(z.record(z.string(), z.unknown()));

/** Some clients send objects as text. */
function parsed<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => {
    return typeof value === 'string' ? (parseJson(value) ?? value) : value;
  }, schema);
}

const continueTool = tool({
  name: 'continue_workflow',
  title: 'Continue a workflow',
  description:
    'Submits the pending step and returns the next one, or says what is missing. With intent "rehydrate" it only shows the state of the run, for an agent that reconnects. Repeating a call with the same token changes nothing.',
  input: z.strictObject({
    continueToken: z.string().describe('From the last answer, exactly as it was.'),
    intent: z
      .enum(['advance', 'rehydrate'])
      .optional()
      .describe('Default: advance when something is handed in.'),
    output: parsed(
      z
        .strictObject({
          notesMarkdown: z.string().optional().describe('What was done, found, decided and left open.'),
          artifacts: parsed(Artifacts).optional().describe('Typed results that the step asks for.'),
        })
        .optional(),
    ),
    context: parsed(z.record(z.string(), z.unknown()).optional()).describe(
      'Variables to set; null takes one away.',
    ),
    notes: z.string().optional().describe('The same as output.notesMarkdown.'),
    artifacts: parsed(Artifacts.optional()).describe('The same as output.artifacts.'),
    contextVariables: parsed(z.record(z.string(), z.unknown()).optional()).describe('The same as context.'),
    workspacePath,
  }),
  output: WorkflowAnswer,
  isReadOnly: false,
  runsCommands: true,
  isIdempotent: true,
  text: answerText,
  async run(input, call) {
    const room = await call.workflows(input.workspacePath);
    const notes = either('notes', input.output?.notesMarkdown, input.notes);
    const artifacts = either('artifacts', input.output?.artifacts, input.artifacts);
    const context = either('context', input.context, input.contextVariables);
    const hasOutput = notes !== undefined || artifacts !== undefined || context !== undefined;
    const intent =
      input.intent ?? (hasOutput || input.continueToken.startsWith('ct_') ? 'advance' : 'rehydrate');
    if (intent === 'rehydrate') return room.engine.rehydrate(input.continueToken);
    const submission = { notes: notes ?? null, artifacts: artifacts ?? [], context: context ?? {} };
    const { continueWorkflow } = await desk();
    return continueWorkflow(room, input.continueToken, submission, call.signal);
  },
});

function either<T>(what: string, own: T | undefined, other: T | undefined): T | undefined {
  if (own === undefined || other === undefined) return own ?? other;
  throw new UsageError({
    code: 'VALIDATION_ERROR',
    message: `${what} are given twice`,
    hint: 'give them in one of the two fields',
  });
}

const checkpointTool = tool({
  name: 'checkpoint_workflow',
  title: 'Set a checkpoint',
  description: 'Marks the current node of a run without advancing it. The resumeToken returns to it.',
  input: z.strictObject({ checkpointToken: z.string(), workspacePath }),
  output: z.object({ sessionId: z.string(), checkpointNodeId: z.string(), resumeToken: z.string() }),
  isReadOnly: false,
  isIdempotent: true,
  run: async ({ checkpointToken, workspacePath: at }, call) =>
    (await call.workflows(at)).engine.checkpoint(checkpointToken),
});

const Candidate = z.object({
  sessionId: z.string(),
  workflowId: z.string(),
  goal: z.string(),
  status: z.string(),
  pendingStep: z.string().nullable(),
  updatedAt: z.string(),
  confidence: z.enum(['strong', 'medium', 'weak']),
  whyMatched: z.array(z.string()),
  snippet: z.string().describe('The newest notes, at most 2 KiB of them.'),
  resumeToken: z.string(),
});

const resumeTool = tool({
  name: 'resume_session',
  title: 'Find a run to resume',
  description:
    'Finds workflow runs of this repository, best match first: by id, by words of their goal and notes, by workflow, commit or branch. Continue with continue_workflow, intent "rehydrate" and the resumeToken.',
  input: z.strictObject({
    query: z.string().optional(),
    sessionId: z.string().optional(),
    workspacePath,
  }),
  output: z.object({ candidates: z.array(Candidate), totalEligible: z.int() }),
  isReadOnly: true,
  run: async ({ query, sessionId, workspacePath: at }, call) =>
    (await desk()).resumeCandidates(await call.workflows(at), query, sessionId),
});

const forkTool = tool({
  name: 'fork_workflow',
  title: 'Fork a run',
  description:
    'Goes back to an earlier place of a run. Continuing with the token that is returned begins a branch of its own; the first one stays as it is.',
  input: z.strictObject({
    sessionId: z.string(),
    nodeId: z
      .string()
      .regex(/^n\d+$/)
      .describe('From an earlier answer.'),
    workspacePath,
  }),
  output: WorkflowAnswer,
  isReadOnly: false,
  text: answerText,
  async run({ sessionId, nodeId, workspacePath: at }, call) {
    const room = await call.workflows(at);
    const { chooseWorkflowRun, forkRun } = await desk();
    return forkRun(room, chooseWorkflowRun(room, sessionId), Number(nodeId.slice(1)));
  },
});

export const workflowTools = [
  listTool,
  inspectTool,
  startTool,
  continueTool,
  checkpointTool,
  resumeTool,
  forkTool,
];
