import { listArtifacts, showArtifact } from '#app/handoffs/artifacts-here.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { refuseMore } from '#cli/args/refuse-more.ts';
import { renderArtifacts } from '#report/run/artifacts.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { artifactTable } from './artifact.table.ts';

export const run: Run<typeof artifactTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, globals, terminal } = invocation;
    const [action, name] = positionals;
    if (action === 'list') refuseMore('artifact', 'list', positionals.slice(1));
    if (action === 'show' && name === undefined) {
      throw new UsageError({
        code: 'no-artifact',
        message: 'show needs the name of an artifact',
        hint: 'joinery artifact list',
      });
    }
    const chosen = room.choose(options.run);
    const report = action === 'show' ? showArtifact(room, chosen, name ?? '') : listArtifacts(room, chosen);
    if (globals.json) terminal.printJson(report);
    else terminal.print(report.text ?? renderArtifacts(report));
    return exitCodes.ok;
  });
