import { auditSpecHere, newSpecHere } from '#app/planning/planning-here.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { nearest } from '#lib/nearest.ts';
import { renderAudit } from '#report/planning/audit.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { specKinds } from '#schema/planning.ts';
import type { specTable } from './spec.table.ts';

export const run: Run<typeof specTable> = (invocation) => {
  const [action, what = '', name] = invocation.positionals;
  return action === 'new' ? create(invocation, what, name) : audit(invocation, what, name);
};

async function create(
  invocation: Invocation<typeof specTable>,
  what: string,
  name: string | undefined,
): Promise<ExitCode> {
  const { globals, terminal } = invocation;
  const kind = specKinds.find((each) => each === what);
  if (kind === undefined) {
    const meant = nearest(what, specKinds);
    throw usage(
      'bad-kind',
      `there is no kind of spec ${JSON.stringify(what)}${meant === null ? '' : `; did you mean "${meant}"?`}`,
      `kinds: ${specKinds.join(', ')}`,
    );
  }
  if (name === undefined) throw usage('no-name', 'a name is missing', `joinery spec new ${kind} <name>`);
  const report = await newSpecHere(invocation, kind, name);
  if (globals.json) terminal.printJson(report);
  else terminal.print(`${report.file}\nFill it in, then: joinery spec audit ${report.file}`);
  return exitCodes.ok;
}

async function audit(
  invocation: Invocation<typeof specTable>,
  file: string,
  more: string | undefined,
): Promise<ExitCode> {
  const { env, globals, terminal } = invocation;
  if (more !== undefined)
    throw usage('unexpected-argument', `audit takes one file, not ${more} as well`, 'joinery spec --help');
  const report = await auditSpecHere(invocation, file);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderAudit(report, pageOf(terminal, env)));
  return report.status === 'fail' ? exitCodes.findings : exitCodes.ok;
}

function usage(code: string, message: string, hint: string): UsageError {
  return new UsageError({ code, message, hint });
}
