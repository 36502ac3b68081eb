import { reportFinal } from '#app/runs/report-run.ts';
import type { RunRoom } from '#app/runs/run-room.ts';
import { runIds, stateIfWhole } from '#crew/state/catalogue.ts';
import { measuresOf } from '#crew/state/measures.ts';
import type { FinalReport } from '#schema/final-report.ts';
import type { Measures, TrendReport } from '#schema/measures.ts';
import { auditRun } from './audit-run.ts';

type Room = Pick<RunRoom, 'runs' | 'state' | 'repository'>;

/** The final report of a run, with the four measures. */
export async function reportWithMeasures(room: Room, run: string): Promise<FinalReport> {
  return { ...(await reportFinal(room, run)), measures: await measureRun(room, run) };
}

/** The measures of every run of this repository that has a readable log. */
export async function measureAll(room: Room): Promise<TrendReport> {
  const runs: TrendReport['runs'] = [];
  for (const run of runIds(room.runs.engine)) {
    const state = stateIfWhole(room.runs.engine, run);
    if (state === null) continue;
    const { createdAt, status } = state;
    runs.push({ run, createdAt, status, measures: await measureRun(room, run) });
  }
  return { schema: 'joinery/trend@1', runs: runs.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)) };
}

async function measureRun(room: Room, run: string): Promise<Measures> {
  const audit = await auditRun(room, run);
  const { score, status, actualEdges, possibleEdges } = audit.report(audit.code);
  return {
    coordination: { score, status, cited: actualEdges, addressed: possibleEdges },
    ...measuresOf(run, room.state(run)),
  };
}
