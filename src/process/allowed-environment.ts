import { delimiter } from 'node:path';

/** Variables that steer programs and hold no secret: all that agents, gates, criteria and installs see besides those of the task. */
const harmless = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  'CI',
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_*',
  'EDITOR',
  'HOSTNAME',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'NVM_DIR',
  'VOLTA_HOME',
  'COREPACK_HOME',
  'npm_config_cache',
  'PIP_CACHE_DIR',
  'PYTHONPYCACHEPREFIX',
  'PYTHONPATH',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'GOCACHE',
  'GOPATH',
  'GOROOT',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'JAVA_HOME',
  'ANDROID_HOME',
  'DOTNET_ROOT',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'PORT',
  'COMPOSE_PROJECT_NAME',
  'JOINERY_*',
  'GIT_*',
  'SSH_ASKPASS',
  // Windows does not start programs without these.
  'SystemRoot',
  'SYSTEMROOT',
  'ComSpec',
  'PATHEXT',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'ProgramFiles*',
];

/**
 * The part of an environment that programs of a task get: a list of what may pass, because no list of secrets is ever
 * complete. The task's own git variables pass; inherited ones were dropped when its environment was made.
 */
export function allowedEnvironment(
  env: Readonly<Record<string, string>>,
  ...allowed: readonly (readonly string[])[]
): Record<string, string> {
  const patterns = [harmless, ...allowed].flat();
  return Object.fromEntries(Object.entries(env).filter(([name]) => isNamed(name, patterns)));
}

/** Whether a variable is one of those named; a star at the end stands for any rest. */
export function isNamed(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment as the person had it: where their Node is too old for us, `bin/joinery.js` goes on with another one in
 * front of PATH, and no other program needs it.
 */
export function userEnvironment(env: Variables): Record<string, string | undefined> {
  const { JOINERY_NODE_FOLDER: ours, NODE: _, npm_node_execpath: __, ...rest } = env;
  if (ours === undefined) return { ...env };
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== ours);
  return { ...rest, PATH: folders.join(delimiter) };
}

/** Shorter values, folders and plain words are no secrets, and stand in every second log. */
const isTelling = (value: string): boolean =>
  value.length >= 8 && !/^[/~.]/.test(value) && !/^[a-z]+$/i.test(value);

/** Takes the values of variables that were withheld out of a text, the longest first. */
export function withholding(env: Variables, allowed: Variables): (text: string) => string {
  const values = Object.entries(env)
    .flatMap(([name, value]) =>
      value !== undefined && allowed[name] !== value && isTelling(value) ? [{ name, value }] : [],
    )
    .sort((a, b) => b.value.length - a.value.length);
  return (text) => values.reduce((rest, { name, value }) => rest.replaceAll(value, `[${name}]`), text);
}
