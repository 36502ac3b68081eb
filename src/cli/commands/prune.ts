import { withRuns } from '#app/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { confirm } from '#cli/terminal/confirm.ts';
import { chooseRun, runIds } from '#crew/state/catalogue.ts';
import { planPrune, prune } from '#crew/steer/prune.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { PruneReport } from '#schema/run.ts';
import type { pruneTable } from './prune.table.ts';

export const run: Run<typeof pruneTable> = (invocation) =>
  withRuns(invocation, async ({ runs, workshop }) => {
    const { options, positionals, globals, terminal } = invocation;
    const isNamed = positionals.length > 0;
    const ids = isNamed
      ? positionals.map((name) => chooseRun(runs.engine, name, 'any'))
      : runIds(runs.engine);
    const place = workshop({ scenario: null });
    const doomed = await planPrune(place, runs.engine, ids, isNamed);
    const isDone = !options['dry-run'] && doomed.length > 0;
    if (isDone) {
      const names = doomed.map(({ run: id }) => id).join(', ');
      await confirm(`Remove ${names} for good?`, { isSure: options.yes === true, command: 'joinery prune' });
      await prune(place, runs.engine, doomed);
    }
    const report: PruneReport = { schema: 'joinery/prune@1', isDone, runs: doomed };
    if (globals.json) terminal.printJson(report);
    else terminal.print(render(report));
    return exitCodes.ok;
  });

function render({ runs, isDone }: PruneReport): string {
  if (runs.length === 0) return 'No run is over.';
  return runs
    .map(({ run: id, status, refs, worktrees }) => {
      const what = `${refs.length} refs, ${worktrees.length} worktrees`;
      return `${isDone ? 'Removed' : 'Would remove'} ${id} (${status}; ${what})`;
    })
    .join('\n');
}
