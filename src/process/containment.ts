import { spawnSync } from 'node:child_process';
import { sandboxVariable } from '#schema/containment.ts';

/** How work runs on this machine. `why` is for people: what is missing, or who chose it. */
export type Containment =
  | { readonly by: 'bubblewrap' }
  | { readonly by: 'none'; readonly why: string; readonly isChosen: boolean };

/** Installs what is missing; `doctor` prints it. */
export const installBubblewrap = 'apt-get install bubblewrap';

/** Looked at once: what a machine can do does not change while a command runs. */
export function containmentHere(env: NodeJS.ProcessEnv = process.env): Containment {
  if (env[sandboxVariable] === 'off')
    return { by: 'none', why: `${sandboxVariable}=off or --no-sandbox`, isChosen: true };
  const trouble = bubblewrapTrouble();
  return trouble === null
    ? { by: 'bubblewrap' }
    : { by: 'none', why: describeTrouble(trouble), isChosen: false };
}

/** `contained (bubblewrap)`, `not contained (bubblewrap: it is not installed)`. */
export function describeContainment(containment: Containment): string {
  return containment.by === 'none'
    ? `not contained (${containment.why})`
    : `contained (${containment.by}: no network, no login, no other folder)`;
}

function describeTrouble(trouble: string): string {
  return process.platform === 'linux'
    ? `bubblewrap: ${trouble}`
    : `there is no sandbox for ${process.platform} yet`;
}

/** Why bubblewrap cannot be used, tested once; null if it can. */
function bubblewrapTrouble(): string | null {
  probed ??= { trouble: probe() };
  return probed.trouble;
}

let probed: { readonly trouble: string | null } | null = null;

/** Everything a real start uses: a kernel or a container may refuse any of it. */
function probe(): string | null {
  if (process.platform !== 'linux') return `it does not exist for ${process.platform}`;
  const isolation = ['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-net'];
  const files = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
  const { status, stderr, error } = spawnSync(
    'bwrap',
    [...isolation, '--cap-drop', 'ALL', ...files, '--', 'true'],
    { encoding: 'utf8', timeout: 5_000 },
  );
  if (error)
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is not installed' : error.message;
  return status === 0 ? null : (stderr.trim().split('\n').at(-1) ?? `exit code ${status}`);
}
