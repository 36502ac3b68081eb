import { readVisits, visitedAt } from '#app/visitors/spool.ts';
import { visitorRows } from '#app/visitors/visitor-rows.ts';
import { ownVersion } from '#app/workplace/version.ts';
import { hasEnded } from '#crew/state/state.ts';
import { holdsBack } from '#schema/verdict.ts';
import type { CheckView, HomeView, InboxItem } from '#schema/window.ts';
import type { RunReadings } from './run-readings.ts';
import { inboxOf, rowOf } from './run-views.ts';
import type { RepositorySummary } from './window.ts';
import { gatesOf, type workflowRows } from './workflow-views.ts';

const summaryInbox = 20;

/** What is known about a repository at one moment, except for its branches. */
export interface Overview extends ReturnType<RunReadings['all']> {
  readonly workflows: ReturnType<typeof workflowRows>;
  /** The last check; null if there was none or it cannot be read. */
  readonly check: CheckView | null;
}

/** The first page of a repository. `state` is the folder that keeps what visiting agents reported. */
export function homeOf(
  overview: Overview,
  repository: HomeView['repository'],
  branches: HomeView['branches'],
  holderOf: RunReadings['holderOf'],
  state: string,
): HomeView {
  const { states, damaged, workflows, check } = overview;
  return {
    schema: 'joinery/home@1',
    repository,
    version: ownVersion(),
    runs: states.map(([run, known]) => rowOf(run, known, holderOf(run))),
    workflows,
    damaged,
    branches,
    inbox: waitingIn(overview),
    visitors: visitorRows(readVisits(state), Date.now()),
    check: check && checkRow(check),
  };
}

/** The entry of a repository in a list of repositories. */
export function summaryOf(
  overview: Overview,
  holderOf: RunReadings['holderOf'],
  state: string,
): RepositorySummary {
  const { states, damaged, workflows, check } = overview;
  const inbox = waitingIn(overview);
  const visited = visitedAt(state);
  const times = [
    ...states.map(([, known]) => known.at),
    ...workflows.map(({ at }) => at),
    ...(check ? [check.at] : []),
    ...(visited === null ? [] : [new Date(visited).toISOString()]),
  ];
  return {
    at: times.toSorted().at(-1) ?? null,
    runs: states.length + damaged.length,
    working: states.filter(([run, known]) => !hasEnded(known) && holderOf(run) !== null).length,
    waiting: inbox.length,
    inbox: inbox.slice(0, summaryInbox),
    check: check && checkRow(check),
  };
}

function waitingIn({ states, workflows, check }: Overview): InboxItem[] {
  return [
    ...states.flatMap(([run, known]) => inboxOf(run, known)),
    ...gatesOf(workflows),
    ...findingsOf(check),
  ];
}

function checkRow({ at, report }: CheckView): NonNullable<HomeView['check']> {
  return { status: report.status, at, findings: report.findings.length, branches: report.branches.length };
}

function findingsOf(check: CheckView | null): InboxItem[] {
  return (check?.report.findings ?? []).filter(holdsBack).map((finding) => ({
    kind: 'finding',
    title: finding.message,
    detail:
      finding.owner === null ? finding.suggestion : `${finding.owner} should move: ${finding.suggestion}`,
    run: null,
    task: null,
    question: null,
    finding: finding.id,
    at: check?.at ?? null,
  }));
}
