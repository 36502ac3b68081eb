import type { AuditReport } from '#schema/audit.ts';
import type { FinalReport } from '#schema/final-report.ts';
import type {
  Accepted,
  CheckView,
  DiffView,
  EventPage,
  HomeView,
  RepositoryList,
  RunView,
  SpecList,
  Started,
  WorkflowView,
} from '#schema/window.ts';
import { newId } from './new-id.ts';
import { repositoryInSight } from './route.ts';

export type { AuditReport } from '#schema/audit.ts';
export type { Finding } from '#schema/check-report.ts';
export type { RunEvent } from '#schema/event.ts';
export type { FinalReport } from '#schema/final-report.ts';
export type { Question } from '#schema/run.ts';
export type * from '#schema/window.ts';

/** The server's error for a failed request: one line and the next step. */
export class ApiError extends Error {
  readonly hint: string;
  readonly status: number;

  constructor(status: number, message: string, hint: string) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

/** Prefix of the addresses of the current repository. */
export function apiBase(): string {
  const repository = repositoryInSight();
  return repository === null ? '/api/v1' : `/api/v1/repositories/${encodeURIComponent(repository)}`;
}

async function ask<T>(path: string, init?: RequestInit, base = apiBase()): Promise<T> {
  const response = await fetch(`${base}${path}`, init).catch(() => {
    throw new ApiError(0, 'the server does not answer', 'joinery ui');
  });
  const isText = response.headers.get('content-type')?.startsWith('text/plain');
  const answer = isText ? await response.text() : await response.json().catch(() => null);
  if (response.ok) return answer as T;
  throw new ApiError(
    response.status,
    answer?.error?.message ?? response.statusText,
    answer?.error?.hint ?? '',
  );
}

function write<T>(path: string, body: object): Promise<T> {
  return ask<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: newId(), ...body }),
  });
}

const runPath = (run: string, rest = '') => `/runs/${encodeURIComponent(run)}${rest}`;

export const api = {
  repositories: () => ask<RepositoryList>('/repositories', {}, '/api/v1'),
  home: () => ask<HomeView>('/home'),
  run: (run: string) => ask<RunView>(runPath(run)),
  events: (run: string, after: number, task?: string) =>
    ask<EventPage>(
      runPath(run, `/events?after=${after}&limit=5000${task ? `&task=${encodeURIComponent(task)}` : ''}`),
    ),
  artifact: (run: string, sha256: string) => ask<string>(runPath(run, `/artifacts/${sha256}`)),
  diff: (run: string, task: string, attempt: number, since?: number) =>
    ask<DiffView>(
      runPath(
        run,
        `/tasks/${encodeURIComponent(task)}/diff?attempt=${attempt}${since ? `&since=${since}` : ''}`,
      ),
    ),
  report: (run: string) => ask<FinalReport>(runPath(run, '/report')),
  handoffs: (run: string) => ask<AuditReport>(runPath(run, '/handoffs')),
  gateLog: (evidence: string) => ask<string>(`/evidence/${encodeURIComponent(evidence)}/log`),
  workflow: (run: string) => ask<WorkflowView>(`/workflows/${encodeURIComponent(run)}`),
  decide: (run: string, node: string, verdict: 'approved' | 'rejected', rationale: string) =>
    write<Accepted>(`/workflows/${encodeURIComponent(run)}/decisions`, { node, verdict, rationale }),
  specs: () => ask<SpecList>('/specs'),
  start: (id: string, spec: string, agent: string) =>
    write<Started>('/runs', { id, spec, ...(agent === '' ? {} : { agent }) }),
  resume: (run: string) => write<Accepted>(runPath(run, '/resume'), {}),
  steer: (run: string, task: string, text: string) =>
    write<Accepted>(runPath(run, '/steers'), { task, text }),
  stop: (run: string, task: string, reason: string) =>
    write<Accepted>(runPath(run, '/stops'), { task, reason }),
  check: () => ask<CheckView | null>('/check'),
  runCheck: (branches: readonly string[] = []) => write<CheckView>('/check', { branches }),
  answer: (run: string, question: string, answer: string, text = '') =>
    write<Accepted>(runPath(run, '/answers'), { question, answer, ...(text === '' ? {} : { text }) }),
  retry: (run: string, task: string, context: string) =>
    write<Accepted>(runPath(run, '/retries'), { task, context }),
  cancel: (run: string) => write<Accepted>(runPath(run, '/cancel'), {}),
  budget: (run: string, budget: { usd: number | null; tokens: number | null }) =>
    write<Accepted>(runPath(run, '/budget'), { budget }),
};
