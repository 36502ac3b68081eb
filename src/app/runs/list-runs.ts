import { runsReport } from '#crew/state/catalogue.ts';
import { openQuestions } from '#crew/state/state.ts';
import type { RunsReport } from '#schema/run.ts';
import { stateNow } from './report-run.ts';
import type { RunRoom } from './run-room.ts';

export async function listRuns(room: Pick<RunRoom, 'runs' | 'state' | 'repository'>): Promise<RunsReport> {
  const report = runsReport(room.runs.engine);
  const runs = report.runs.map(async (listed) => {
    if (listed.questions === 0) return listed;
    const now = await stateNow(room, listed.run);
    return { ...listed, status: now.status, questions: openQuestions(now).length };
  });
  return { ...report, runs: await Promise.all(runs) };
}
