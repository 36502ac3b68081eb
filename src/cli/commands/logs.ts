import { eventLine } from '#app/runs/event-line.ts';
import { followLog } from '#app/runs/follow-log.ts';
import { withRuns } from '#app/runs/run-room.ts';
import type { Run } from '#cli/args/invocation.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { logsTable } from './logs.table.ts';

export const run: Run<typeof logsTable> = (invocation) =>
  withRuns(invocation, async (room) => {
    const { options, positionals, globals, terminal } = invocation;
    const id = room.choose(positionals[0]);
    const events = followLog(room, id, { task: options.task, follow: options.follow === true });
    if (globals.json && !options.follow) {
      terminal.printJson({ schema: 'joinery/logs@1', run: id, events: await Array.fromAsync(events) });
      return exitCodes.ok;
    }
    for await (const event of events) {
      const line = globals.json ? JSON.stringify(event) : eventLine(event);
      if (line !== null) terminal.print(line);
    }
    return exitCodes.ok;
  });
