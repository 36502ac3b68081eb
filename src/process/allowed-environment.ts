import { delimiter } from 'node:path';

/** Variables that configure programs and contain no secret. Agents, gates, criteria and installs see only these and those of the task. */
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
 * The part of an environment that programs of a task get. It is an allow list, because no list of secrets is complete. The task's git
 * variables pass; inherited ones were dropped when its environment was made.
 */
export function allowedEnvironment(
  env: Readonly<Record<string, string>>,
  ...allowed: readonly (readonly string[])[]
): Record<string, string> {
  const patterns = [harmless, ...allowed].flat();
  return Object.fromEntries(Object.entries(env).filter(([name]) => isNamed(name, patterns)));
}

/** Whether a variable matches one of the names; a star at the end matches any rest. */
export function isNamed(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment as the person had it: where their Node is too old, `bin/joinery.js` starts another one and puts it first on PATH; other
 * programs must not see that.
 */
export function userEnvironment(env: Variables): Record<string, string | undefined> {
  const { JOINERY_NODE_FOLDER: ours, NODE: _, npm_node_execpath: __, ...rest } = env;
  if (ours === undefined) return { ...env };
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== ours);
  return { ...rest, PATH: folders.join(delimiter) };
}

/** Shorter values, folders and plain words are not secrets and occur in many logs. */
const isTelling = (value: string): boolean =>
  value.length >= 8 && !/^[/~.]/.test(value) && !/^[a-z]+$/i.test(value);

/** Removes the values of withheld variables from a text, longest first. */
export function withholding(env: Variables, allowed: Variables): (text: string) => string {
  const values = Object.entries(env)
    .flatMap(([name, value]) =>
      value !== undefined && allowed[name] !== value && isTelling(value) ? [{ name, value }] : [],
    )
    .sort((a, b) => b.value.length - a.value.length);
  return (text) => values.reduce((rest, { name, value }) => rest.replaceAll(value, `[${name}]`), text);
}
