import { join } from 'node:path';
import { readBoundedFile } from '#lib/read-bounded-file.ts';
import { shellWord } from '#lib/shell-word.ts';
import { ConfigError } from '#schema/errors.ts';
import { type ConfigFile, findConfigFile } from './find-config-file.ts';

/** The config file on disk. */
export function readConfigFile(root: string): ConfigFile | null {
  return findConfigFile((file) => readIfThere(join(root, file)));
}

function readIfThere(file: string): string | null {
  try {
    return readBoundedFile(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigError({
      code: 'unreadable-config',
      message: `${file} cannot be read: ${(cause as Error).message}`,
      hint: `check its permissions: ls -l ${shellWord(file)}`,
      cause,
    });
  }
}
