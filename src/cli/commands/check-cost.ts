import type { CheckAnswer } from '#app/checks/check-here.ts';

/** The total, then one line per stage. */
export function describeCost({
  isKnown,
  reads,
  checkerRuns,
  testRuns,
  runsTests,
  seconds,
  stages,
}: CheckAnswer): string {
  const work = isKnown
    ? 'the report was in the cache'
    : `${reads.extracted} files parsed, ${reads.cached} from the cache, ${checkerRuns} checker runs${runsTests ? `, ${testRuns} test runs` : ''}`;
  const lines = stages.map((stage) => `  ${stage.name.padEnd(19)} ${stage.seconds.toFixed(2)} s`);
  return [`${seconds.toFixed(2)} s, ${work}`, ...lines].join('\n');
}
