import { replayHere } from '#app/checks/replay-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderReplay } from '#report/check/replay.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { replayTable } from './replay.table.ts';

const outcomes = {
  confirmed: exitCodes.ok,
  not_reproduced: exitCodes.findings,
  inconclusive: exitCodes.needsPerson,
} as const;

export const run: Run<typeof replayTable> = async (invocation) => {
  const { options, positionals, env, terminal, globals } = invocation;
  const { replay, frames } = await replayHere(invocation, positionals[0] ?? '', options.report);
  terminal.settle();
  if (globals.json) terminal.printJson(replay);
  else terminal.print(renderReplay(replay, frames, pageOf(terminal, env)));
  return outcomes[replay.proof];
};
