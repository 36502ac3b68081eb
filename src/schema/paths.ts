import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { EnvironmentError } from './errors.ts';

/** The facts that decide where Joinery stores files. Passed in, so that the functions here are pure. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: string;
}

/** Deletable at any time. `bin/bootstrap.js` computes the same folder before this module can be loaded. */
export function cacheDir(host: Host): string {
  return storageDir(host, {
    own: 'JOINERY_CACHE_DIR',
    xdg: 'XDG_CACHE_HOME',
    unix: '.cache',
    windows: 'cache',
  });
}

/** Precious: contains one folder per repository. */
export function stateRoot(host: Host): string {
  return storageDir(host, {
    own: 'JOINERY_STATE_DIR',
    xdg: 'XDG_STATE_HOME',
    unix: join('.local', 'state'),
    windows: 'state',
  });
}

/** Runs, reports, worktrees and logs of one repository. */
export function stateDir(host: Host, commonGitDir: string): string {
  return join(stateRoot(host), repoKey(commonGitDir));
}

/** Written by people: workflows for every project of this user. */
export function userConfigDir(host: Host): string {
  return storageDir(host, {
    own: 'JOINERY_CONFIG_DIR',
    xdg: 'XDG_CONFIG_HOME',
    unix: '.config',
    windows: 'config',
  });
}

/** A readable name that no two repositories share; all worktrees of one repository have the same name. */
export function repoKey(commonGitDir: string): string {
  const own = basename(commonGitDir);
  const name = own === '.git' ? basename(dirname(commonGitDir)) : own.replace(/\.git$/, '');
  const hash = createHash('sha256').update(commonGitDir).digest('hex').slice(0, 8);
  return `${name.replace(/[^\w.-]/g, '-')}-${hash}`;
}

interface Place {
  readonly own: string;
  readonly xdg: string;
  readonly unix: string;
  readonly windows: string;
}

function storageDir(host: Host, place: Place): string {
  const folder = chosenDir(host, place);
  // Node never returns from making a folder below /proc.
  if (host.platform === 'linux' && /^\/proc(\/|$)/.test(folder))
    throw new EnvironmentError({
      code: 'read-only',
      message: `no folder can be made below /proc: ${folder}`,
      hint: `set ${place.own} to a writable folder`,
    });
  return folder;
}

function chosenDir({ env, home, platform }: Host, place: Place): string {
  const own = env[place.own];
  if (own) return resolve(own);
  const xdg = env[place.xdg];
  // The XDG specification tells programs to ignore a relative path.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'joinery');
  if (platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'joinery', place.windows);
  return join(home, place.unix, 'joinery');
}
