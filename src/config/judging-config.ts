import { ConfigError, isJoineryError } from '#schema/errors.ts';
import { configFileNames, findConfigFile } from './find-config-file.ts';
import { configFrom, type LoadedConfig, type Override } from './read-config.ts';
import type { Config } from './settings.ts';

/** Settings that judge branches. They are read from base: no branch may silence its own check. */
const judging = [
  'block',
  'confirm',
  'checkers',
  'ignore',
  'rules',
  'python',
  'branches',
] as const satisfies readonly (keyof Config)[];

/** The settings of a project at the root of a commit, with overrides. */
export async function configAt(
  commit: string,
  /** Reads files at the root of that commit. */
  read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  over: { readonly env: Readonly<Record<string, string | undefined>>; readonly flags: readonly Override[] },
): Promise<LoadedConfig> {
  const files = await read(configFileNames);
  try {
    return await configFrom(
      findConfigFile((name) => files.get(name) ?? null),
      over,
    );
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    const { code, message, hint } = error;
    const place = `in commit ${commit.slice(0, 12)}`;
    throw new ConfigError({ code, message: `${place}: ${message}`, hint, cause: error });
  }
}

/** Warnings for settings on disk that differ from the ones that count. */
export function judgingWarnings(disk: LoadedConfig, base: LoadedConfig, baseRef: string): string[] {
  const textOf = ({ values }: LoadedConfig, key: keyof Config) => JSON.stringify(values[key]);
  const different = judging.filter((key) => textOf(disk, key) !== textOf(base, key));
  const names = different.map((key) => `"${key}"`).join(', ');
  if (disk.file === null || different.length === 0) return [];
  const counts = different.length > 1 ? 'count' : 'counts';
  return [`${disk.file}: ${names} ${counts} as on ${baseRef}, not as in this checkout`];
}
