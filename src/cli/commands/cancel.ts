import { withRuns } from '#app/run-room.ts';
import { deliver } from '#app/send-signal.ts';
import type { Run } from '#cli/args/invocation.ts';
import { confirm } from '#cli/terminal/confirm.ts';
import { chooseRun } from '#crew/state/catalogue.ts';
import { reportOf } from '#crew/state/report.ts';
import { hasEnded } from '#crew/state/state.ts';
import { EngineError } from '#durable/engine-error.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { cancelTable } from './cancel.table.ts';

export const run: Run<typeof cancelTable> = (invocation) =>
  withRuns(invocation, async (room): Promise<ExitCode> => {
    const { options, positionals, globals, terminal } = invocation;
    const id = chooseRun(room.runs.engine, positionals[0], 'unfinished');
    const before = room.state(id);
    if (!hasEnded(before)) {
      await confirm(`Cancel run ${id}?`, { isSure: options.yes === true, command: `joinery cancel ${id}` });
      await deliver(room, id, { name: 'cancel', payload: null }, (state) => hasEnded(state));
    }
    const after = room.state(id);
    if (after.status !== 'cancelled') {
      throw new EngineError('not-cancelled', `run ${id} is ${after.status} and was not cancelled`, {
        exitCode: exitCodes.needsPerson,
        hint: `joinery status ${id}`,
      });
    }
    if (globals.json) terminal.printJson(reportOf(id, after));
    else terminal.print(`Run ${id} is cancelled. Its branches stay until: joinery prune ${id}`);
    return exitCodes.ok;
  });
