import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Config } from '#config/settings.ts';
import { withholding } from '#process/allowed-environment.ts';

/** No prompts and no colours; finds tools installed in the project, also in the folder a command changes to first. */
export function gateEnvironment(
  env: Readonly<Record<string, string>>,
  worktree: string,
  command: string,
): Record<string, string> {
  const below = /^cd\s+([\w./-]+)/.exec(command)?.[1];
  const folders = [...(below === undefined ? [] : [join(worktree, below)]), worktree].flatMap((folder) => [
    join(folder, 'node_modules', '.bin'),
    join(folder, '.venv', process.platform === 'win32' ? 'Scripts' : 'bin'),
  ]);
  const { FORCE_COLOR: _, PATH = '', ...rest } = env;
  return {
    CI: 'true',
    ...rest,
    PATH: [...folders.filter((folder) => existsSync(folder)), PATH].join(delimiter),
    // Python's bytecode files beside the sources would be a change of the worktree.
    ...(rest.PYTHONPYCACHEPREFIX === undefined ? { PYTHONDONTWRITEBYTECODE: '1' } : {}),
    NO_COLOR: '1',
    TERM: 'dumb',
  };
}

/** How programs of gates run: with these variables, within the limits of the settings, and without values they did not receive in the log. */
export function gateTerms(
  { gates }: Pick<Config, 'gates'>,
  ownEnv: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string>>,
) {
  return {
    env,
    hide: withholding(ownEnv, env),
    maxLogBytes: gates.logBytes,
    memoryBytes: gates.memoryBytes,
  };
}
