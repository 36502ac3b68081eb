import { planHere, planInitHere } from '#app/planning/planning-here.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { chooserOf } from '#cli/terminal/confirm.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { tellerOf } from '#cli/terminal/tell.ts';
import { renderPlan } from '#report/planning/plan.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { PlanReport } from '#schema/planning.ts';
import type { planTable } from './plan.table.ts';

const exits: Readonly<Record<PlanReport['status'], 0 | 1 | 2>> = {
  planned: exitCodes.ok,
  refused: exitCodes.findings,
  needs_human: exitCodes.needsPerson,
  inconclusive: exitCodes.needsPerson,
};

export const run: Run<typeof planTable> = async (invocation) => {
  const { positionals, options, env, terminal, globals } = invocation;
  const [spec = '', file] = positionals;
  if (spec === 'init') return init(invocation, file ?? 'plan.json');
  if (file !== undefined) {
    throw new UsageError({
      code: 'unexpected-argument',
      message: `plan takes one spec, not ${file} as well`,
      hint: `write elsewhere: --out ${file}`,
    });
  }
  const report = await planHere(invocation, {
    ...options,
    tell: tellerOf(invocation),
    choose: options.yes || globals.json ? null : chooserOf(terminal),
    spec,
    force: options.force === true,
    skipAudit: options['skip-audit'] === true,
    skipGuardian: options['skip-guardian'] === true,
  });
  terminal.settle();
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderPlan(report, pageOf(terminal, env)));
  return exits[report.status];
};

/** Writes a plan to fill in by hand; an existing one stays unchanged. */
function init(invocation: Invocation<typeof planTable>, file: string): ExitCode {
  const { globals, terminal } = invocation;
  const report = planInitHere(invocation, file);
  if (globals.json) terminal.printJson(report);
  else terminal.print(`${file}\nFill it in, then: joinery run --plan ${file} --dry-run`);
  return exitCodes.ok;
}
