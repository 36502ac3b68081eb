import type { CheckContext, FoundIn } from '#check/context.ts';
import { ResultStore } from '#check/typecheck/containment/result-store.ts';
import type { Meeting } from '#check/typecheck/diagnostics/meeting.ts';
import type { CheckReport } from '#schema/check-report.ts';
import { buildFindings } from './build-findings.ts';
import { judgeByTests, linesInQuestion, type TestVerdict } from './judge-by-tests.ts';
import { runBuilds } from './run-builds.ts';
import { runIntentTests } from './run-intent-tests.ts';
import { TestRoom } from './test-room.ts';
import { witnessFindings } from './witness-findings.ts';
import type { WitnessSettings } from './witness-settings.ts';

interface Options {
  /** Folder for cached results. */
  readonly resultsDir: string;
  readonly onInterrupt: (cleanup: () => void) => () => void;
}

interface Witnessed {
  readonly findings: readonly FoundIn[];
  /** What the tests say of the findings that nobody had judged. */
  readonly judged: ReadonlyMap<FoundIn, TestVerdict>;
  readonly inconclusive: CheckReport['inconclusive'];
  readonly degraded: CheckReport['degraded'];
  /** Commands that ran in this check, without those known from an earlier one. */
  readonly runs: number;
}

/** Runs builds and tests of the branches on unions: they show failures that only a run can show. */
export async function confirmByRunning(
  context: CheckContext,
  meeting: Meeting,
  settings: WitnessSettings,
  /** What the check has found so far. */
  known: readonly FoundIn[],
  { resultsDir, onInterrupt }: Options,
): Promise<Witnessed> {
  const results = new ResultStore(resultsDir);
  const room = await TestRoom.open(context.workspace, settings, results);
  const settled = onInterrupt(() => room.stop());
  try {
    const nothing = { failing: [], green: [], flaky: [], unable: [] };
    const asked = (way: 'build' | 'tests') => settings.ways.includes(way);
    const builds = asked('build') ? await runBuilds(context, meeting, settings, room) : nothing;
    const tests = asked('tests')
      ? await runIntentTests(context, meeting, settings, room, linesInQuestion(known))
      : nothing;
    // They were requested: one without an answer leaves the check undecided.
    return {
      findings: [
        ...(await buildFindings(context, meeting, builds.failing)),
        ...(await witnessFindings(context, meeting, tests.failing)),
      ],
      judged: await judgeByTests(context, meeting, known, tests),
      inconclusive: [...builds.unable, ...tests.unable],
      degraded: [...builds.flaky, ...tests.flaky],
      runs: room.runs,
    };
  } finally {
    settled();
    results.trim();
  }
}
