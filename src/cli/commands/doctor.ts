import { examineHere } from '#app/setup/doctor-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { renderDoctor } from '#report/setup/doctor.ts';
import type { DoctorReport } from '#schema/command-reports.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import type { doctorTable } from './doctor.table.ts';

export const run: Run<typeof doctorTable> = async (invocation) => {
  const { globals, terminal, env } = invocation;
  const report = await examineHere(invocation);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderDoctor(report, { ...pageOf(terminal, env), verbose: globals.verbose === true }));
  return exitCodeOf(report);
};

/** What is wrong in the project, not on the machine. */
const aboutProject: ReadonlySet<string> = new Set(['config', 'tests']);

function exitCodeOf({ checks }: DoctorReport): ExitCode {
  const failed = checks.filter(({ status }) => status === 'fail');
  if (failed.length === 0) return exitCodes.ok;
  return failed.every(({ name }) => aboutProject.has(name)) ? exitCodes.usage : exitCodes.environment;
}
