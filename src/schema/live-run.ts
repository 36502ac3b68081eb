import type { StepStatus } from './run.ts';

/** A running run, for people who watch it. */
export interface LiveRun {
  readonly run: string;
  readonly createdAt: string;
  readonly isHalted: boolean;
  readonly tokens: number;
  readonly usd: number;
  /** Phases of the run so far: { phase: 'plan', status: 'done' }. */
  readonly phases: readonly { readonly phase: string; readonly status: 'begun' | 'done' | 'failed' }[];
  /** Problems found where the work of two tasks meets. */
  readonly seams: { readonly open: readonly string[]; readonly fixed: number };
  readonly tasks: readonly LiveTask[];
}

export interface LiveTask {
  readonly id: string;
  readonly status: StepStatus;
  /** Number of the running attempt; null when none is running. */
  readonly attempt: number | null;
  /** What the agent does now, or why the task waits: 'claude edit src/a.ts'. */
  readonly doing: string;
  readonly tokens: number;
  readonly usd: number;
  /** Start of the running attempt; null when none is running. */
  readonly startedAt: string | null;
  /** Tasks that have to be accepted first. */
  readonly waitsFor: readonly string[];
}
