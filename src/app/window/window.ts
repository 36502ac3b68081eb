import type { AuditReport } from '#schema/audit.ts';
import type { RunEvent } from '#schema/event.ts';
import type { FinalReport } from '#schema/final-report.ts';
import type { Budget } from '#schema/spending.ts';
import type {
  CheckView,
  DiffView,
  EventPage,
  HomeView,
  RepositoryRow,
  RunView,
  SpecList,
  WorkflowView,
} from '#schema/window.ts';
import type { GateWish } from './workflow-views.ts';

/** Everything a server can show about a repository and do in it, while the server stays open. */
export interface Window {
  home(): Promise<HomeView>;
  /** The entry for a list of repositories; does not call git. */
  summary(): Promise<RepositorySummary>;
  specs(): Promise<SpecList>;
  report(run: string): FinalReport;
  /** Handoffs between tasks, and the Coordination Score. */
  handoffs(run: string): Promise<AuditReport>;
  /** The output of a gate, by the id of its evidence. */
  gateLog(evidence: string): string;
  workflow(run: string): Promise<WorkflowView>;
  decide(run: string, wish: GateWish): Promise<{ isDriven: boolean }>;
  start(id: string, spec: string, agent: string | undefined): Promise<string>;
  resume(run: string, id: string): Promise<{ isDriven: boolean }>;
  steer(run: string, id: string, task: string, text: string): { isDriven: boolean };
  stop(run: string, id: string, task: string, reason: string): { isDriven: boolean };
  run(id: string): RunView;
  events(run: string, after: number, most: number, task: string | undefined): EventPage;
  artifact(run: string, sha256: string): string;
  diff(run: string, task: string, attempt: number, since: number | undefined): Promise<DiffView>;
  check(): Promise<CheckView | null>;
  runCheck(id: string, base: string | undefined, branches: readonly string[]): Promise<CheckView>;
  answer(
    run: string,
    id: string,
    question: string,
    words: { readonly answer: string; readonly text: string | undefined },
  ): Promise<{ isDriven: boolean }>;
  /** Also drives the run if no process does: otherwise a retry of an ended run would wait forever. */
  retry(run: string, id: string, task: string, context: string): Promise<{ isDriven: boolean }>;
  budget(run: string, id: string, budget: Budget): { isDriven: boolean };
  cancel(run: string, id: string): { isDriven: boolean };
  /** Events after a position in the journal. */
  since(place: number, most: number): { place: number; run: string; event: RunEvent }[];
  place(): number;
  /** Number of runs removed from the log; their events are gone. */
  removals(): number;
  /** When the last check of the repository ended; null if there was none. */
  checkedAt(): number | null;
  /** When an agent that Joinery did not start last reported. */
  visitedAt(): number | null;
}

export interface RepositorySummary
  extends Pick<RepositoryRow, 'runs' | 'working' | 'waiting' | 'inbox' | 'check'> {
  /** Time of the last event; null if there was none. */
  readonly at: string | null;
}
