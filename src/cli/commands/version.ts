import { ownVersion } from '#app/workplace/version.ts';
import type { Run } from '#cli/args/invocation.ts';
import type { VersionReport } from '#schema/command-reports.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import type { versionTable } from './version.table.ts';

export const run: Run<typeof versionTable> = async ({ globals, terminal }) => {
  const version = ownVersion();
  const report: VersionReport = {
    schema: 'joinery/version@1',
    version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  };
  if (globals.json) terminal.printJson(report);
  else terminal.print(version);
  return exitCodes.ok;
};
