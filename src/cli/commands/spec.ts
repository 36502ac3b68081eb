import { readSpec } from '#app/read-spec.ts';
import { auditSpecFile, createSpec } from '#app/spec-files.ts';
import type { Invocation, Run } from '#cli/args/invocation.ts';
import { pageOf } from '#cli/terminal/page.ts';
import { loadConfig } from '#config/read-config.ts';
import { openRepository } from '#git/repository.ts';
import { nearest } from '#lib/nearest.ts';
import { renderAudit } from '#report/planning/audit.ts';
import { UsageError } from '#schema/errors.ts';
import { type ExitCode, exitCodes } from '#schema/exit-codes.ts';
import { type SpecKind, specKinds } from '#schema/planning.ts';
import type { specTable } from './spec.table.ts';

export const run: Run<typeof specTable> = async (invocation) => {
  const [action, what = '', name] = invocation.positionals;
  const { workTree } = await openRepository(invocation.cwd);
  if (workTree === null)
    throw usage('no-worktree', 'a bare repository has no specs', 'go into a worktree: git worktree list');
  return action === 'new'
    ? create(invocation, workTree, what, name)
    : audit(invocation, workTree, what, name);
};

function create(
  { globals, terminal }: Invocation<typeof specTable>,
  root: string,
  what: string,
  name: string | undefined,
): ExitCode {
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
  const report = createSpec(root, kind satisfies SpecKind, name);
  if (globals.json) terminal.printJson(report);
  else terminal.print(`${report.file}\nFill it in, then: joinery spec audit ${report.file}`);
  return exitCodes.ok;
}

async function audit(
  { cwd, env, globals, terminal }: Invocation<typeof specTable>,
  root: string,
  file: string,
  more: string | undefined,
): Promise<ExitCode> {
  if (more !== undefined)
    throw usage('unexpected-argument', `audit takes one file, not ${more} as well`, 'joinery spec --help');
  const { values } = await loadConfig({ root, env });
  const report = auditSpecFile(root, readSpec(root, cwd, file), values.planning.maxTasks);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderAudit(report, pageOf(terminal, env)));
  return report.status === 'fail' ? exitCodes.findings : exitCodes.ok;
}

function usage(code: string, message: string, hint: string): UsageError {
  return new UsageError({ code, message, hint });
}
