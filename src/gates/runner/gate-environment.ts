import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
