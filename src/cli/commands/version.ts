import type { VersionReport } from '../../model/command-reports.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { Run } from '../invocation.ts';
import { readOwnPackage } from '../own-package.ts';
import type { versionTable } from './version.table.ts';

export const run: Run<typeof versionTable> = async ({ globals, terminal }) => {
  const { version } = readOwnPackage();
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
