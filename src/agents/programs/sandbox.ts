import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentRequest } from '#agents/driver.ts';
import { wordsOfLine } from '#lib/words-of-line.ts';
import type { AgentConfig } from '#schema/agent.ts';
import { EnvironmentError } from '#schema/errors.ts';
import { openWithin } from './withheld.ts';

type Argv = readonly [string, ...string[]];

/** What a driver knows about its program: where its logins and sessions are, and whether it sandboxes commands itself. */
export interface AgentHabits {
  readonly name: string;
  /** Folders below the home folder that stay writable, the main one first: `.claude`. */
  readonly keeps: readonly string[];
  /** The variable that sets another folder for them. */
  readonly keepsIn?: string;
  readonly hasOwnSandbox: boolean;
}

/** Where credentials for other services are, below the home folder. */
const logins = [
  ...[
    '.ssh',
    '.gnupg',
    '.aws',
    '.azure',
    '.kube',
    '.docker',
    '.config/gh',
    '.config/gcloud',
    '.config/git/credentials',
  ],
  ...['.netrc', '.git-credentials', '.npmrc', '.pypirc', '.password-store', '.local/share/keyrings'],
];

/** The command line with the sandbox that the settings demand. */
export function containedArgv(argv: Argv, request: AgentRequest, habits: AgentHabits): Argv {
  const kind = demandSandbox(request.config, habits);
  if (kind === 'none') return argv;
  if (kind === 'command') return [...wordsOfLine(request.config.sandbox), ...argv] as unknown as Argv;
  const home = request.env.HOME ?? homedir();
  const kept = habits.keeps.map((path) => join(home, path));
  // A missing folder cannot be created inside the sandbox; outside, the agent would create it.
  for (const path of kept.slice(0, 1)) mkdirSync(path, { recursive: true });
  return bubblewrapArgv(argv, {
    cwd: request.cwd,
    writable: [
      ...(request.mode === 'edit' ? [request.cwd] : []),
      ...[request.env.TMPDIR, request.env.XDG_CACHE_HOME, request.env[habits.keepsIn ?? '']].filter(
        (path) => path !== undefined,
      ),
      ...kept,
    ],
    hidden: [
      ...logins.map((path) => join(home, path)).filter((path) => existsSync(path)),
      ...(request.withheld ?? []),
    ],
    // The agent's own folders inside hidden ones stay visible.
    shown: openWithin(request).filter((path) => existsSync(path)),
  });
}

/** The demanded sandbox, or an error: an agent never runs without one by accident. */
export function demandSandbox(
  { sandbox }: Pick<AgentConfig, 'sandbox'>,
  { name, hasOwnSandbox }: AgentHabits,
  probe: () => string | null = bubblewrapTrouble,
): 'none' | 'command' | 'bubblewrap' {
  if (sandbox === 'off' || (sandbox === 'auto' && hasOwnSandbox)) return 'none';
  if (sandbox !== 'auto') return 'command';
  const trouble = probe();
  if (trouble === null) return 'bubblewrap';
  throw new EnvironmentError({
    code: 'no-sandbox',
    message: `agents.${name}.sandbox is "auto", and bubblewrap does not work here: ${trouble}`,
    hint: 'install it (Debian: apt-get install bubblewrap), name another command, or set it to "off"',
  });
}

interface Holes {
  readonly cwd: string;
  readonly writable: readonly string[];
  readonly hidden: readonly string[];
  readonly shown?: readonly string[];
}

/** The whole machine read-only, logins hidden, a few folders writable; all processes end with the first one. */
export function bubblewrapArgv(argv: Argv, { cwd, writable, hidden, shown = [] }: Holes): Argv {
  return [
    'bwrap',
    ...['--die-with-parent', '--unshare-pid', '--unshare-ipc'],
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...hidden.flatMap((path) => (isFolder(path) ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path])),
    ...shown.flatMap((path) => ['--ro-bind', path, path]),
    ...writable.flatMap((path) => ['--bind-try', path, path]),
    ...['--chdir', cwd, '--'],
    ...argv,
  ];
}

/** Why bubblewrap cannot be used, tested once; null if it can. */
export function bubblewrapTrouble(): string | null {
  probed ??= { trouble: probeBubblewrap() };
  return probed.trouble;
}

let probed: { readonly trouble: string | null } | null = null;

function probeBubblewrap(): string | null {
  const [program, ...args] = bubblewrapArgv(['true'], { cwd: '/', writable: [], hidden: [] });
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 5_000 });
  if (error)
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not installed' : error.message;
  return status === 0 ? null : (stderr.trim().split('\n').at(-1) ?? `exit code ${status}`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
