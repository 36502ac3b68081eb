import { mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { closeToOthers } from '#lib/own-place.ts';
import { stateDir } from '#schema/paths.ts';

/** Where the runs of one repository are stored. Precious: never below a temp folder, never inside the repository. */
export interface StateFolder {
  readonly root: string;
  readonly database: string;
  reports(run: string): string;
  logs(run: string): string;
  worktrees(run: string): string;
  /** Temp and cache folders of tasks. */
  scratch(run: string): string;
}

export function stateFolder(commonDir: string, env: NodeJS.ProcessEnv): StateFolder {
  const wanted = stateDir({ env, home: homedir(), platform: process.platform }, commonDir);
  mkdirSync(wanted, { recursive: true, mode: 0o700 });
  closeToOthers(wanted);
  // Git records real paths; paths through a link would never be equal to them.
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
