import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Host } from '#schema/paths.ts';

/** This machine, as far as paths depend on it. */
export function thisHost(env: NodeJS.ProcessEnv): Host {
  // `HOME=`, as in some containers: a relative folder would be below the repository.
  const home = isAbsolute(homedir()) ? homedir() : userInfo().homedir;
  return { env, home, platform: process.platform };
}
