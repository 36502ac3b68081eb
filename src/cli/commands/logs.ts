import { setTimeout as wait } from 'node:timers/promises';
import { withRuns } from '#app/run-room.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { eventLine } from '#cli/terminal/run-progress.ts';
import { chooseRun } from '#crew/state/catalogue.ts';
import type { LocalEngine } from '#durable/local-engine.ts';
import { UsageError } from '#schema/errors.ts';
import type { RunEvent } from '#schema/event.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { logsTable } from './logs.table.ts';

const pollMs = 200;

export const run: Run<typeof logsTable> = (invocation) =>
  withRuns(invocation, async ({ runs, state }) => {
    const { options, positionals, globals, terminal } = invocation;
    const id = chooseRun(runs.engine, positionals[0], 'any');
    const { steps } = state(id);
    if (options.task !== undefined && !steps.has(options.task)) {
      throw new UsageError({
        code: 'unknown-task',
        message: `run ${id} has no task ${options.task}`,
        hint: `its tasks: ${[...steps.keys()].join(', ')}`,
      });
    }
    if (globals.json && !options.follow) {
      const events = [...runs.engine.read(id)].filter((event) => isWanted(event, options.task));
      terminal.printJson({ schema: 'joinery/logs@1', run: id, events });
    } else await follow(invocation, runs.engine, id);
    return exitCodes.ok;
  });

function isWanted(event: RunEvent, task: string | undefined): boolean {
  return task === undefined || event.step === task;
}

async function follow(
  { options, globals, terminal }: Invocation<typeof logsTable>,
  engine: LocalEngine,
  id: string,
): Promise<void> {
  let seen = 0;
  for (;;) {
    // Asked before reading: what a holder writes before it lets go is then read in any case.
    const isDriven = engine.holder(id)?.isAlive ?? false;
    for (const event of engine.read(id, seen)) {
      seen = event.seq;
      if (!isWanted(event, options.task)) continue;
      const line = globals.json ? JSON.stringify(event) : eventLine(event);
      if (line !== null) terminal.print(line);
    }
    if (!options.follow || !isDriven) return;
    await wait(pollMs);
  }
}
