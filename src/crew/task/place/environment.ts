import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { writeOwnFile } from '#lib/own-place.ts';
import { userEnvironment } from '#process/allowed-environment.ts';

export interface TaskPlace {
  readonly run: string;
  readonly task: string;
  readonly slug: string;
  /** Mark of every process of the attempt. */
  readonly mark: string;
  /** Its folder outside the worktree. */
  readonly scratch: string;
  /** First port and number of ports. */
  readonly ports: readonly [number, number];
}

/** Variables that would point a child at another repository, or at ours. */
const dropped = /^(GIT_|JOINERY_(?!STATE_DIR|CACHE_DIR))/;

export function databaseName(run: string, slug: string): string {
  return `joinery_${run}_${slug}`
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '_')
    .slice(0, 63);
}

export function scratchFolders(scratch: string): { tmp: string; cache: string } {
  return { tmp: join(scratch, 'tmp'), cache: join(scratch, 'cache') };
}

/** A file with information about the task for its programs; see `Work`. */
export function workFile(scratch: string): string {
  return join(scratch, 'work.json');
}

/** The environment of a task's programs: its own temp, caches, ports and database, and a git that never asks. */
export function taskEnvironment(place: TaskPlace, inherited: NodeJS.ProcessEnv): Record<string, string> {
  const { tmp, cache } = scratchFolders(place.scratch);
  const [port, count] = place.ports;
  const kept = Object.entries(userEnvironment(inherited)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !dropped.test(entry[0]),
  );
  return {
    ...Object.fromEntries(kept),
    TMPDIR: tmp,
    TMP: tmp,
    TEMP: tmp,
    XDG_CACHE_HOME: cache,
    npm_config_cache: join(cache, 'npm'),
    PIP_CACHE_DIR: join(cache, 'pip'),
    GOCACHE: join(cache, 'go'),
    PYTHONPYCACHEPREFIX: join(cache, 'python'),
    PORT: String(port),
    JOINERY_PORT: String(port),
    JOINERY_PORT_COUNT: String(count),
    JOINERY_DATABASE: databaseName(place.run, place.slug),
    COMPOSE_PROJECT_NAME: databaseName(place.run, place.slug),
    JOINERY_RUN: place.run,
    JOINERY_TASK: place.task,
    JOINERY_ATTEMPT: place.mark,
    JOINERY_WORK: workFile(place.scratch),
    ...quietGit,
    GIT_CONFIG_GLOBAL: writeGitSettings(place.scratch, inherited),
  };
}

/** Git without an editor, a pager, a prompt or a place to push to. */
const quietGit = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_PAGER: 'cat',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
};

/**
 * The person's git settings, and nowhere to push. In a file, because agents drop variables with KEY in their name, and git
 * does not start with only some of the settings variables.
 */
function writeGitSettings(scratch: string, env: NodeJS.ProcessEnv): string {
  const home = env.HOME ?? homedir();
  const own = env.GIT_CONFIG_GLOBAL ?? join(home, '.gitconfig');
  const xdg = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git', 'config');
  const file = join(scratch, 'gitconfig');
  const included = [...(env.GIT_CONFIG_GLOBAL === undefined ? [xdg] : []), own];
  mkdirSync(scratch, { recursive: true });
  writeOwnFile(
    file,
    [
      ...included.map((path) => `[include]\n\tpath = ${JSON.stringify(path)}\n`),
      '[url "joinery-does-not-push://"]\n\tpushInsteadOf = ""\n',
      '[commit]\n\tgpgSign = false\n',
    ].join(''),
  );
  return file;
}
