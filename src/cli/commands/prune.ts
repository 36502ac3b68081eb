import { pruneRuns } from '#app/runs/prune-runs.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { confirm } from '#cli/terminal/confirm.ts';
import { renderPrune } from '#report/run/prune.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { pruneTable } from './prune.table.ts';

export const run: Run<typeof pruneTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, globals, terminal } = invocation;
    const report = await pruneRuns(room, {
      names: positionals,
      isDryRun: options['dry-run'] === true,
      isForced: options.force === true,
      confirm: (runs) =>
        confirm(`Remove ${runs} for good?`, {
          isSure: options.yes === true,
          command: 'joinery prune',
          terminal,
        }),
    });
    if (globals.json) terminal.printJson(report);
    else terminal.print(renderPrune(report));
    const isKept = report.kept.length > 0 || report.integrations?.some(({ keeps }) => keeps !== null);
    return positionals.length > 0 && isKept ? exitCodes.needsPerson : exitCodes.ok;
  });
