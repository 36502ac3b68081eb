import { chooseRun } from '../../engine/catalogue.ts';
import { writeProjections } from '../../engine/projection-files.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { RebuildReport } from '../../model/run.ts';
import type { Run } from '../invocation.ts';
import { withRuns } from '../run-room.ts';
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
