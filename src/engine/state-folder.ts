import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the runs of one repository live. Precious: never below a temp folder, never inside the repository. */
export interface StateFolder {
  readonly root: string;
  readonly database: string;
  reports(run: string): string;
  logs(run: string): string;
  worktrees(run: string): string;
  /** Temp and cache folders of tasks. */
  scratch(run: string): string;
}

export function stateFolder(
  repository: { readonly name: string; readonly commonDir: string },
  env: NodeJS.ProcessEnv = process.env,
): StateFolder {
  const home = env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const digits = createHash('sha256').update(repository.commonDir).digest('hex').slice(0, 8);
  const wanted = join(env.JOINERY_STATE_DIR || join(home, 'joinery'), `${repository.name}-${digits}`);
  mkdirSync(wanted, { recursive: true });
  // Git records real paths; with a link in between, ours would never compare equal to them.
  const root = realpathSync(wanted);
  return {
    root,
    database: join(root, 'runs.db'),
    reports: (run) => join(root, 'reports', run),
    logs: (run) => join(root, 'logs', run),
    worktrees: (run) => join(root, 'worktrees', run),
    scratch: (run) => join(root, 'scratch', run),
  };
}
