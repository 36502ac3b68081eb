import { reviewHere } from '#app/review/review-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { tellerOf } from '#cli/terminal/tell.ts';
import { renderReview } from '#report/review/terminal.ts';
import { UsageError } from '#schema/errors.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { reviewTable } from './review.table.ts';

const exits = {
  approve: exitCodes.ok,
  revise: exitCodes.findings,
  uncertain: exitCodes.needsPerson,
} as const;

export const run: Run<typeof reviewTable> = async (invocation) => {
  const { positionals, options, terminal, globals, env } = invocation;
  const report = await reviewHere(invocation, {
    branch: positionals[0] ?? 'HEAD',
    base: options.base,
    agent: options.agent,
    scenario: options.scenario,
    plan: options.plan,
    task: options.task,
    reviewers: (options.reviewers ?? '')
      .split(',')
      .flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
    checklist: options.checklist,
    runsGates: options['no-gates'] !== true,
    settings: {
      rebuttal: options.rebuttal === true,
      prove: options['no-tests'] !== true,
      audit: options.audit === true,
      mutants: mutantsOf(options.mutants),
      timeoutSeconds: secondsOf(options.timeout),
    },
    tell: tellerOf(invocation),
  });
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderReview(report, pageOf(terminal, env)));
  return exits[report.verdict];
};

/** The same maximum as the setting's. */
const mostMutants = 20;

function mutantsOf(typed: string): number {
  const count = Number(typed);
  if (Number.isInteger(count) && count >= 0 && count <= mostMutants) return count;
  throw new UsageError({
    code: 'bad-mutants',
    message: `--mutants ${JSON.stringify(typed)} is not a number from 0 to ${mostMutants}`,
    hint: 'joinery review --mutants 10',
  });
}

function secondsOf(typed: string): number {
  const seconds = Number(typed);
  if (Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new UsageError({
    code: 'bad-timeout',
    message: `--timeout ${JSON.stringify(typed)} is not a number of seconds`,
    hint: 'joinery review --timeout 180',
  });
}
