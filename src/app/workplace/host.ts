import { homedir } from 'node:os';
import type { Host } from '#schema/paths.ts';

/** This machine, as far as paths depend on it. */
export function thisHost(env: NodeJS.ProcessEnv): Host {
  return { env, home: homedir(), platform: process.platform };
}
