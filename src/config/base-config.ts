import { ConfigError, isJoineryError } from '#schema/errors.ts';
import { findConfigFile } from './find-config-file.ts';
import { Config } from './settings.ts';

/** The settings of a project in the files of a commit. */
export function configIn(files: ReadonlyMap<string, string>, commit: string): Config {
  const place = `in commit ${commit.slice(0, 12)}`;
  try {
    const file = findConfigFile((name) => files.get(name) ?? null);
    const parsed = Config.safeParse(file?.value ?? {});
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const path = (issue?.path ?? []).filter((part) => typeof part !== 'symbol');
    throw new ConfigError({
      code: 'bad-config',
      message: `${file?.locate(path)}: "${path.join('.')}": ${issue?.message}`,
      hint: 'fix it and commit it',
    });
  } catch (error) {
    if (!isJoineryError(error)) throw error;
    const { code, message, hint } = error;
    throw new ConfigError({ code, message: `${place}: ${message}`, hint, cause: error });
  }
}
