import { rolesHere } from '#app/planning/planning-here.ts';
import type { Run } from '#cli/args/invocation.ts';
import { renderRoles } from '#report/planning/roles.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { rolesTable } from './roles.table.ts';

export const run: Run<typeof rolesTable> = async (invocation) => {
  const { positionals, options, globals, terminal } = invocation;
  const report = await rolesHere(invocation, options.base, positionals[0]);
  if (globals.json) terminal.printJson(report);
  else terminal.print(renderRoles(report));
  return exitCodes.ok;
};
