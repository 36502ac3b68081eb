import { runsReport } from '#crew/state/catalogue.ts';
import type { RunsReport } from '#schema/run.ts';
import type { RunRoom } from './run-room.ts';

export function listRuns({ runs }: Pick<RunRoom, 'runs'>): RunsReport {
  return runsReport(runs.engine);
}
