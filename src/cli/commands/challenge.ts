import { challengeHere } from '#app/review/challenge-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { tellerOf } from '#cli/terminal/tell.ts';
import { renderChallenge } from '#report/review/challenge.ts';
import type { ChallengeReport } from '#schema/challenge.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { challengeTable } from './challenge.table.ts';

const exits: Readonly<Record<ChallengeReport['verdict'], 0 | 1 | 2>> = {
  approve: exitCodes.ok,
  revise: exitCodes.findings,
  reject: exitCodes.needsPerson,
  uncertain: exitCodes.needsPerson,
};

export const run: Run<typeof challengeTable> = async (invocation) => {
  const { positionals, options, env, terminal, globals } = invocation;
  const { kind, ...rest } = options;
  const report = await challengeHere(invocation, {
    ...rest,
    kind: kind === 'auto' ? undefined : kind,
    file: positionals[0] ?? '',
    tell: tellerOf(invocation),
  });
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderChallenge(report, pageOf(terminal, env)));
  return exits[report.verdict];
};
