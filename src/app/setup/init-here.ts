import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownDefault } from '#app/workplace/project-base.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { UnparsableConfig } from '#config/find-config-file.ts';
import { readConfigFile } from '#config/read-config-file.ts';
import { openRepository } from '#git/call/repository.ts';
import type { InitReport } from '#schema/command-reports.ts';
import { UsageError } from '#schema/errors.ts';

const fileName = 'joinery.json';

interface InitWishes {
  readonly isDryRun: boolean;
  readonly isForced: boolean;
}

/** Writes a config file with the settings that differ from the defaults. */
export async function initHere(
  { cwd }: Pick<Surroundings, 'cwd'>,
  { isDryRun, isForced }: InitWishes,
): Promise<InitReport> {
  const repository = await openRepository(cwd);
  const root = repository.workTree;
  if (root === null) {
    throw new UsageError({
      code: 'bare-repository',
      message: `${repository.commonDir} has no working tree to write ${fileName} to`,
      hint: 'run joinery init in a clone that has one',
    });
  }
  if (!isDryRun) refuseToHide(root, isForced);
  const report: InitReport = {
    schema: 'joinery/init@1',
    file: join(root, fileName),
    written: !isDryRun,
    content: planConfig(await knownDefault(repository), existsSync(join(root, ownSchema))),
  };
  if (!isDryRun) writeFileSync(report.file, report.content);
  return report;
}

/** Where Joinery is installed in the project itself. */
const ownSchema = 'node_modules/joinery/schemas/config.schema.json';

/** The text of the file; settings equal to their default are left out. Editors are told only of a schema that is there. */
function planConfig(base: string | null, hasSchema: boolean): string {
  const settings = {
    ...(hasSchema ? { $schema: `./${ownSchema}` } : {}),
    ...(base === null ? {} : { base }),
    ignore: [],
    rules: {},
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

function refuseToHide(root: string, isForced: boolean): void {
  const existing = existingConfig(root, isForced);
  if (existing === null || (isForced && existing === fileName)) return;
  throw new UsageError({
    code: 'config-exists',
    message: `${existing} holds settings already`,
    hint: existing === fileName ? 'joinery init --force replaces it' : `remove them from ${existing} first`,
  });
}

/** With `--force` an unreadable joinery.json is no error: the command replaces it. */
function existingConfig(root: string, isForced: boolean): string | null {
  try {
    return readConfigFile(root)?.name ?? null;
  } catch (error) {
    if (isForced && error instanceof UnparsableConfig && error.file === fileName) return fileName;
    throw error;
  }
}
