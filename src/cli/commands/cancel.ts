import { chooseRun } from '../../engine/catalogue.ts';
import { EngineError } from '../../engine/engine-error.ts';
import { reportOf } from '../../engine/report.ts';
import { hasEnded } from '../../engine/state.ts';
import { type ExitCode, exitCodes } from '../../model/exit-codes.ts';
import { confirm } from '../confirm.ts';
import type { Run } from '../invocation.ts';
import { withRuns } from '../run-room.ts';
import { deliver } from '../send-signal.ts';
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
