import { withRuns } from '#app/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { chooseRun } from '#crew/state/catalogue.ts';
import { writeProjections } from '#crew/state/projection-files.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { RebuildReport } from '#schema/run.ts';
import type { rebuildTable } from './rebuild.table.ts';

export const run: Run<typeof rebuildTable> = (invocation) =>
  withRuns(invocation, async ({ runs: { engine, folders } }) => {
    const { globals, terminal, positionals } = invocation;
    const id = chooseRun(engine, positionals[0], 'any');
    const files = writeProjections(folders, {
      run: id,
      events: engine.read(id),
      artifact: (hash) => engine.artifact(id, hash),
    });
    const report: RebuildReport = {
      schema: 'joinery/rebuild@1',
      run: id,
      folders: [folders.reports(id), folders.logs(id)],
      files,
    };
    if (globals.json) terminal.printJson(report);
    else terminal.print(`${files} files in\n${report.folders.map((folder) => `  ${folder}`).join('\n')}`);
    return exitCodes.ok;
  });
