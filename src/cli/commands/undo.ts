import { undoHere } from '#app/runs/receipts-here.ts';
import { withRuns } from '#app/runs/run-room.ts';
import { decisionOf, type Run } from '#cli/args/invocation.ts';
import { askerOf, confirm } from '#cli/terminal/confirm.ts';
import { renderUndo } from '#report/run/integration.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { undoTable } from './undo.table.ts';

export const run: Run<typeof undoTable> = async (invocation) => {
  const { positionals, options, globals, terminal } = invocation;
  const [id] = positionals;
  const report = await withRuns(invocation, (room) =>
    undoHere(room, decisionOf(invocation), id, {
      mayUpdateCheckout: options['update-checkout'] === true,
      ask: options.yes || globals.json ? null : askerOf(terminal),
      confirm: (what) =>
        confirm(what, {
          isSure: options.yes === true,
          command: `joinery undo ${id === undefined ? '' : `${id} `}--update-checkout`,
          terminal,
        }),
    }),
  );
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderUndo(report));
  return report.status === 'undone' ? exitCodes.ok : exitCodes.needsPerson;
};
