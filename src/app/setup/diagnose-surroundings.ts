import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type LoadedConfig, loadConfig } from '#config/read-config.ts';
import { openRepository, type Repository } from '#git/call/repository.ts';
import { formatBytes } from '#report/text/bytes.ts';
import type { Diagnosis } from '#schema/command-reports.ts';
import { isJoineryError } from '#schema/errors.ts';
import { measureCache } from './cache-folder.ts';

/** Null outside a repository: that is no fault of the machine, and the other diagnoses still apply. */
export async function findRepository(
  cwd: string,
  git: Diagnosis,
): Promise<{ repository: Repository | null; diagnosis: Diagnosis }> {
  const name = 'repository';
  if (git.status !== 'pass') {
    return { repository: null, diagnosis: { name, status: 'skipped', found: 'needs git', hint: '' } };
  }
  try {
    const repository = await openRepository(cwd);
    const found = repository.workTree ?? `${repository.commonDir} (bare)`;
    return { repository, diagnosis: { name, status: 'pass', found, hint: '' } };
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    return {
      repository: null,
      diagnosis: { name, status: 'skipped', found: error.message, hint: error.hint },
    };
  }
}

export async function diagnoseConfig(
  root: string | null,
  env: NodeJS.ProcessEnv,
): Promise<{ config: LoadedConfig | null; diagnosis: Diagnosis }> {
  const name = 'config';
  try {
    const config = await loadConfig({ root, env });
    const [warning] = config.warnings;
    const diagnosis: Diagnosis = warning
      ? {
          name,
          status: 'warn',
          found: config.warnings.join('\n'),
          hint: `correct or remove the key in ${config.file}`,
        }
      : { name, status: 'pass', found: config.file ?? 'no file, defaults', hint: '' };
    return { config, diagnosis };
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    return { config: null, diagnosis: { name, status: 'fail', found: error.message, hint: error.hint } };
  }
}

/** Asks for permissions instead of writing: a diagnosis must leave nothing behind. */
export function diagnoseCache(folder: string): Diagnosis {
  const name = 'cache';
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    const bytes = measureCache(folder).reduce((sum, entry) => sum + entry.bytes, 0);
    return { name, status: 'pass', found: `${formatBytes(bytes)} in ${folder}`, hint: '' };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      name,
      status: 'fail',
      found: `${folder} cannot be written (${code})`,
      hint: 'set JOINERY_CACHE_DIR to a writable folder',
    };
  }
}
