import { z } from 'zod';
import type { Window } from '#app/window/open-window.ts';
import {
  Accepted,
  AnswerWrite,
  BudgetWrite,
  CheckView,
  CheckWrite,
  DiffView,
  EventPage,
  HomeView,
  RetryWrite,
  RunView,
  Write,
} from '#schema/window.ts';

/** One address of the API. The OpenAPI document and the server are both made from this table. */
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
    method: 'post',
    path: '/runs/{run}/answers',
    summary: 'Answer a question',
    body: AnswerWrite,
    response: Accepted,
    handle: (window, { params, body }) =>
      accepted(body.id, window.answer(params.run ?? '', body.id, body.question, body)),
  },
  {
    method: 'post',
    path: '/runs/{run}/retries',
    summary: 'Try a failed task again',
    body: RetryWrite,
    response: Accepted,
    handle: (window, { params, body }) =>
      accepted(body.id, window.retry(params.run ?? '', body.id, body.task, body.context)),
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
    handle: (window, { body }) => window.runCheck(body.base, body.branches),
  },
];
