import { delimiter } from 'node:path';
import { redactKnown } from '#lib/redact.ts';

/** Variables that configure programs and contain no secret. Agents, gates, criteria and installs see only these and those of the task. */
const harmless = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_COLLATE',
  'LC_CTYPE',
  'LC_MESSAGES',
  'LC_MONETARY',
  'LC_NUMERIC',
  'LC_TIME',
  'TZ',
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  'CI',
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_DIRS',
  'XDG_CONFIG_HOME',
  'XDG_DATA_DIRS',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
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
  'NO_PROXY',
  'no_proxy',
  'PORT',
  'COMPOSE_PROJECT_NAME',
  'JOINERY_ATTEMPT',
  'JOINERY_BASE',
  'JOINERY_CACHE_DIR',
  'JOINERY_CACHE_MAX_BYTES',
  'JOINERY_CONFIG_DIR',
  'JOINERY_DATABASE',
  'JOINERY_GUARDED',
  'JOINERY_PORT',
  'JOINERY_PORT_COUNT',
  'JOINERY_RUN',
  'JOINERY_SANDBOX',
  'JOINERY_STATE_DIR',
  'JOINERY_TASK',
  'JOINERY_WORK',
  // Settings in variables (GIT_CONFIG_VALUE_0) may hold a login.
  'GIT_ASKPASS',
  'GIT_ATTR_NOSYSTEM',
  'GIT_AUTHOR_DATE',
  'GIT_AUTHOR_EMAIL',
  'GIT_AUTHOR_NAME',
  'GIT_CEILING_DIRECTORIES',
  'GIT_COMMITTER_DATE',
  'GIT_COMMITTER_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_EDITOR',
  'GIT_MERGE_AUTOEDIT',
  'GIT_PAGER',
  'GIT_SEQUENCE_EDITOR',
  'GIT_SSH_COMMAND',
  'GIT_TERMINAL_PROMPT',
  'SSH_ASKPASS',
  // Windows does not start programs without these.
  'SystemRoot',
  'SYSTEMROOT',
  'ComSpec',
  'PATHEXT',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'ProgramW6432',
];

/** Their addresses are needed, a login in them is not: whoever needs it names the variable. */
const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];

/**
 * The part of an environment that programs of a task get. It is an allow list, because no list of secrets is complete, and it has whole
 * names, because `JOINERY_GITLAB_TOKEN` and `GIT_TOKEN` begin like harmless ones.
 */
export function allowedEnvironment(
  env: Readonly<Record<string, string>>,
  ...allowed: readonly (readonly string[])[]
): Record<string, string> {
  const named = allowed.flat();
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (isNamed(name, named) || harmless.includes(name)) return [[name, value]];
      return proxies.includes(name) ? [[name, withoutLogin(value)]] : [];
    }),
  );
}

/** `http://user:password@proxy:3128` → `http://proxy:3128` */
function withoutLogin(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/]*@/i, '$1');
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

/** Removes the values of withheld variables from a text, longest first, and everything that has the known form of a secret. */
export function withholding(env: Variables, allowed: Variables): (text: string) => string {
  const values = Object.entries(env)
    .flatMap(([name, value]) =>
      value !== undefined && allowed[name] !== value && isTelling(value) ? [{ name, value }] : [],
    )
    .sort((a, b) => b.value.length - a.value.length);
  return (text) =>
    redactKnown(values.reduce((rest, { name, value }) => rest.replaceAll(value, `[${name}]`), text));
}
