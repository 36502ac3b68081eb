import { z } from 'zod';
import type { Window } from '#app/window/window.ts';
import { AuditReport } from '#schema/audit.ts';
import { FinalReport } from '#schema/final-report.ts';
import {
  Accepted,
  AnswerWrite,
  BudgetWrite,
  CheckView,
  CheckWrite,
  DiffView,
  EventPage,
  GateWrite,
  HomeView,
  RetryWrite,
  RunView,
  RunWrite,
  SpecList,
  Started,
  SteerWrite,
  StopWrite,
  WorkflowView,
  Write,
} from '#schema/window.ts';

/** One address of the API. The OpenAPI document and the server are both built from this table. */
export interface Route {
  readonly method: 'get' | 'post';
  /** With parameters in braces: '/runs/{run}'. */
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** null: plain text. */
  readonly response: z.ZodType | null;
  handle(window: Window, input: RouteInput): unknown;
}

interface RouteInput {
  readonly params: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: parsed by the schema of the route just before
  readonly query: any;
  // biome-ignore lint/suspicious/noExplicitAny: parsed by the schema of the route just before
  readonly body: any;
}

const EventQuery = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(5000).default(1000),
  task: z.string().optional(),
});
const DiffQuery = z.object({
  attempt: z.coerce.number().int().positive(),
  since: z.coerce.number().int().positive().optional(),
});

const accepted = (id: string, { isDriven }: { isDriven: boolean }): Accepted => ({
  schema: 'joinery/accepted@1',
  id,
  isDriven,
});
const named = ({ params }: RouteInput, name: string): string => params[name] ?? '';

export const routes: readonly Route[] = [
  {
    method: 'get',
    path: '/home',
    summary: 'Runs, unmerged branches, what waits for a person, and the last check',
    response: HomeView,
    handle: (window) => window.home(),
  },
  {
    method: 'get',
    path: '/runs/{run}',
    summary: 'A run with its tasks and attempts',
    response: RunView,
    handle: (window, input) => window.run(named(input, 'run')),
  },
  {
    method: 'get',
    path: '/runs/{run}/events',
    summary: 'The log of a run by pages',
    query: EventQuery,
    response: EventPage,
    handle: (window, input) =>
      window.events(named(input, 'run'), input.query.after, input.query.limit, input.query.task),
  },
  {
    method: 'get',
    path: '/runs/{run}/artifacts/{sha256}',
    summary: 'A kept text: the prompt of an attempt, a handoff',
    response: null,
    handle: (window, input) => window.artifact(named(input, 'run'), named(input, 'sha256')),
  },
  {
    method: 'get',
    path: '/runs/{run}/tasks/{task}/diff',
    summary: 'What an attempt changed, or what changed between two attempts',
    query: DiffQuery,
    response: DiffView,
    handle: (window, input) =>
      window.diff(named(input, 'run'), named(input, 'task'), input.query.attempt, input.query.since),
  },
  {
    method: 'get',
    path: '/runs/{run}/report',
    summary: 'What became of a run: what landed, what did not and why, and what proves it',
    response: FinalReport,
    handle: (window, input) => window.report(named(input, 'run')),
  },
  {
    method: 'get',
    path: '/runs/{run}/handoffs',
    summary: 'Who handed what to whom, who cited it, and the Coordination Score',
    response: AuditReport,
    handle: (window, input) => window.handoffs(named(input, 'run')),
  },
  {
    method: 'get',
    path: '/evidence/{evidence}/log',
    summary: 'What a gate printed',
    response: null,
    handle: (window, input) => window.gateLog(named(input, 'evidence')),
  },
  {
    method: 'get',
    path: '/specs',
    summary: 'What a run can be started from, and with whom',
    response: SpecList,
    handle: (window) => window.specs(),
  },
  {
    method: 'post',
    path: '/runs',
    summary: 'Start a run; it continues after this server ends',
    body: RunWrite,
    response: Started,
    handle: async (window, { body }): Promise<Started> => ({
      schema: 'joinery/started@1',
      id: body.id,
      run: await window.start(body.id, body.spec, body.agent),
    }),
  },
  {
    method: 'post',
    path: '/runs/{run}/resume',
    summary: 'Drive a run that no process drives',
    body: Write,
    response: Accepted,
    handle: async (window, { params, body }) =>
      accepted(body.id, await window.resume(params.run ?? '', body.id)),
  },
  {
    method: 'post',
    path: '/runs/{run}/steers',
    summary: 'Say something to the agent of a task, for its next turn',
    body: SteerWrite,
    response: Accepted,
    handle: (window, { params, body }) =>
      accepted(body.id, window.steer(params.run ?? '', body.id, body.task, body.text)),
  },
  {
    method: 'post',
    path: '/runs/{run}/stops',
    summary: 'Stop a task; the others go on',
    body: StopWrite,
    response: Accepted,
    handle: (window, { params, body }) =>
      accepted(body.id, window.stop(params.run ?? '', body.id, body.task, body.reason)),
  },
  {
    method: 'get',
    path: '/workflows/{run}',
    summary: 'A run that follows a workflow: its steps, what was handed in, and why it went where it went',
    response: WorkflowView,
    handle: (window, input) => window.workflow(named(input, 'run')),
  },
  {
    method: 'post',
    path: '/workflows/{run}/decisions',
    summary: 'Approve or reject what waits at a gate',
    body: GateWrite,
    response: Accepted,
    handle: async (window, { params, body }) =>
      accepted(body.id, await window.decide(params.run ?? '', body)),
  },
  {
    method: 'post',
    path: '/runs/{run}/answers',
    summary: 'Answer a question',
    body: AnswerWrite,
    response: Accepted,
    handle: async (window, { params, body }) =>
      accepted(body.id, await window.answer(params.run ?? '', body.id, body.question, body)),
  },
  {
    method: 'post',
    path: '/runs/{run}/retries',
    summary: 'Try a failed task again',
    body: RetryWrite,
    response: Accepted,
    handle: async (window, { params, body }) =>
      accepted(body.id, await window.retry(params.run ?? '', body.id, body.task, body.context)),
  },
  {
    method: 'post',
    path: '/runs/{run}/budget',
    summary: 'Set the budget',
    body: BudgetWrite,
    response: Accepted,
    handle: (window, { params, body }) =>
      accepted(body.id, window.budget(params.run ?? '', body.id, body.budget)),
  },
  {
    method: 'post',
    path: '/runs/{run}/cancel',
    summary: 'Cancel the run',
    body: Write,
    response: Accepted,
    handle: (window, { params, body }) => accepted(body.id, window.cancel(params.run ?? '', body.id)),
  },
  {
    method: 'get',
    path: '/check',
    summary: 'The last check of this repository with its code frames; null when there was none',
    response: CheckView.nullable(),
    handle: (window) => window.check(),
  },
  {
    method: 'post',
    path: '/check',
    summary: 'Check branches now',
    body: CheckWrite,
    response: CheckView,
    handle: (window, { body }) => window.runCheck(body.id, body.base, body.branches),
  },
];
