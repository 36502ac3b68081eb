import { closeToOthers } from '#lib/own-place.ts';
import { stateDir, stateRoot } from '#schema/paths.ts';
import { thisHost } from './host.ts';

/** Where the state of a repository is. It holds prompts, diffs and logs: nobody else may read them. */
export function stateOf(env: NodeJS.ProcessEnv, commonDir: string): string {
  const host = thisHost(env);
  closeToOthers(stateRoot(host));
  return stateDir(host, commonDir);
}
