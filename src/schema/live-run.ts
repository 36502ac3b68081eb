import type { StepStatus } from './run.ts';

/** A run while it goes on, as far as people watch it. */
export interface LiveRun {
  readonly run: string;
  readonly createdAt: string;
  readonly isHalted: boolean;
  readonly tokens: number;
  readonly usd: number;
  readonly tasks: readonly LiveTask[];
}

export interface LiveTask {
  readonly id: string;
  readonly status: StepStatus;
  /** Number of the attempt that is at work; null when none is. */
  readonly attempt: number | null;
  /** What the agent does now, or why the task stands where it is: 'claude edit src/a.ts'. */
  readonly doing: string;
  readonly tokens: number;
  readonly usd: number;
  /** Of the attempt that is at work; null when none is. */
  readonly startedAt: string | null;
  /** Tasks that have to be accepted first. */
  readonly waitsFor: readonly string[];
}
