import { withRuns } from '#app/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { runsReport } from '#crew/state/catalogue.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { RunsReport } from '#schema/run.ts';
import type { runsTable } from './runs.table.ts';

export const run: Run<typeof runsTable> = (invocation) =>
  withRuns(invocation, async ({ runs }) => {
    const report = runsReport(runs.engine);
    if (invocation.globals.json) invocation.terminal.printJson(report);
    else invocation.terminal.print(render(report));
    return exitCodes.ok;
  });

function render({ runs }: RunsReport): string {
  if (runs.length === 0) return 'No runs yet. Start one: joinery run --plan plan.json';
  return runs
    .map(({ run: id, status, createdAt, accepted, tasks, questions, holder }) => {
      const notes = [
        ...(questions > 0 ? [`${questions} questions`] : []),
        ...(holder ? [`driven by ${holder}`] : []),
        ...(status === 'running' && !holder ? [`nobody drives it: joinery resume ${id}`] : []),
      ];
      return `${id}  ${status.padEnd(14)} ${createdAt.slice(0, 16)}  ${accepted}/${tasks}  ${notes.join(', ')}`.trimEnd();
    })
    .join('\n');
}
