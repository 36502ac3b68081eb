import type { CheckContext, FoundIn } from '#check/context.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { confirmCompilers } from './compilers/confirm-compilers.ts';
import { Effort } from './containment/effort.ts';
import { ResultStore } from './containment/result-store.ts';
import type { CheckerFinding } from './diagnostics/blame.ts';
import type { Meeting } from './diagnostics/meeting.ts';
import { joinFindings } from './diagnostics/same-cause.ts';
import { confirmPython } from './python/confirm-python.ts';
import { confirmTypeScript } from './typescript/confirm-typescript.ts';

/** Time limit for checkers that were not requested: the answer from facts takes seconds. */
const unaskedSeconds = 10;
/** CPU time for one tree when the check was not requested: allows for an estimate that is somewhat wrong. */
const unaskedLimitMs = 30_000;

export interface ConfirmOptions {
  readonly by: 'types' | 'none';
  /** The user or the project requested it: a checker that cannot run makes the check inconclusive. */
  readonly demanded: boolean;
  readonly timeLimitMs: number;
  /** Folder for cached results of checkers. */
  readonly resultsDir: string;
  readonly onInterrupt: (cleanup: () => void) => () => void;
}

/** Why a checker gave no answer. */
export interface Unable {
  readonly check: string;
  readonly reason: string;
  /** It was stopped while it checked files that branches changed: the absence of errors then means nothing. */
  readonly isCutOff?: boolean;
  /** It failed or took too long: next time it may not. */
  readonly mayPass?: boolean;
}

/** The result of one checker. `unable`: why it has none. */
export interface Confirmation {
  readonly findings: readonly CheckerFinding[];
  readonly checkers: NonNullable<CheckReport['checkers']>;
  readonly unable: readonly Unable[];
  readonly notes: CheckReport['degraded'];
}

export interface Confirmed {
  readonly findings: readonly FoundIn[];
  readonly checkers: NonNullable<CheckReport['checkers']>;
  readonly inconclusive: CheckReport['inconclusive'];
  readonly degraded: CheckReport['degraded'];
  /** Every checker would give this answer again. */
  readonly isFinal: boolean;
  /** Checker runs, without those known from an earlier check, and their CPU time. */
  readonly runs: number;
  readonly cpuSeconds: number;
}

/** Runs type checkers on unions: an error that a union has and no member alone is proven. */
export async function confirmFindings(
  context: CheckContext,
  meeting: Meeting,
  base: GitTree,
  found: readonly FoundIn[],
  options: ConfirmOptions,
): Promise<Confirmed> {
  const store = new ResultStore(options.resultsDir);
  const effort = new Effort({
    mostSeconds: options.demanded ? Number.POSITIVE_INFINITY : unaskedSeconds,
    progress: context.progress,
  });
  const timeLimitMs = options.demanded ? options.timeLimitMs : Math.min(options.timeLimitMs, unaskedLimitMs);
  const limited = { ...options, timeLimitMs };
  const all = [
    await confirmTypeScript(context, meeting, base, store, effort, limited),
    await confirmPython(context, meeting, store, effort, limited),
    await confirmCompilers(context, meeting, base, store, effort, limited),
  ];
  store.trim();
  const unable = all.flatMap((each) => each.unable);
  const isInconclusive = ({ isCutOff = false }: Unable) => options.demanded || isCutOff;
  const told = ({ check, reason }: Unable) => ({ check, reason });
  return {
    findings: joinFindings(
      found,
      all.flatMap(({ findings }) => findings),
    ),
    checkers: all.flatMap(({ checkers }) => checkers),
    inconclusive: unable.filter(isInconclusive).map(told),
    degraded: [
      ...unable.filter((each) => !isInconclusive(each)).map(told),
      ...all.flatMap(({ notes }) => notes),
    ],
    isFinal: !unable.some(({ mayPass = false }) => mayPass),
    runs: effort.runs,
    cpuSeconds: effort.cpuSeconds,
  };
}
