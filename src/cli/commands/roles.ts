import { listRoles } from '#app/list-roles.ts';
import type { Run } from '#cli/args/invocation.ts';
import { openRepository } from '#git/repository.ts';
import { visible, visibleLine } from '#lib/visible.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { RolesReport } from '#schema/planning.ts';
import type { rolesTable } from './roles.table.ts';

export const run: Run<typeof rolesTable> = async ({ positionals, options, cwd, globals, terminal }) => {
  const repository = await openRepository(cwd);
  const { report, warnings } = await listRoles(repository, options.base ?? 'HEAD', positionals[0]);
  for (const warning of warnings) terminal.warn(visibleLine(warning));
  if (globals.json) terminal.printJson(report);
  else terminal.print(report.text === undefined ? render(report) : visible(report.text));
  return exitCodes.ok;
};

function render({ roles, commit }: RolesReport): string {
  const column = Math.max(...roles.map(({ name }) => name.length)) + 2;
  const rows = roles.map(({ name, what, origin, path }) => {
    const from = origin === 'project' ? `${path} (project)` : 'joinery';
    return `${name.padEnd(column)}${from}\n${' '.repeat(column)}${what}`;
  });
  return [...rows, '', `Project files as of ${commit?.slice(0, 12)}.`].join('\n');
}
