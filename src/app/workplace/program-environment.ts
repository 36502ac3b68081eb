import { allowedEnvironment, userEnvironment } from '#process/allowed-environment.ts';

/** Variables that git sets in hooks would point a gate's git at another index or repository. */
const ofHooks =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/;

/** The environment of gates, criteria and installs, in a run and outside: one fixed list plus what `gates.env` names. */
export function programEnvironment(
  env: NodeJS.ProcessEnv,
  allowed: readonly string[],
): Record<string, string> {
  const known = Object.entries(userEnvironment(env)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !ofHooks.test(entry[0]),
  );
  return allowedEnvironment(Object.fromEntries(known), allowed);
}
