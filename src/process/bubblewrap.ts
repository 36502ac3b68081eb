import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { cacheDir, stateRoot, userConfigDir } from '#schema/paths.ts';
import { type Box, boxMark } from './box.ts';
import { gitFolders } from './git-folders.ts';
import { ownRoot } from './own-package.ts';
import { gradleCaches, holdsLogin, toolFolders } from './tool-folders.ts';

type Argv = readonly [string, ...string[]];
type Variables = Readonly<Record<string, string | undefined>>;

/** Where a Unix keeps programs, libraries and their settings: readable. Everything else has to be named. */
const system = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt'],
  ...['/nix', '/gnu', '/snap', '/sys', '/var/lib/gems', '/var/lib/dpkg/status', '/home/linuxbrew'],
];

/** Below `/etc`; root can read them, and so can root in a container. */
const systemLogins = [
  ...['/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-', '/etc/sudoers', '/etc/sudoers.d'],
  ...['/etc/ssh', '/etc/ssl/private', '/etc/docker', '/etc/kubernetes', '/etc/rancher', '/etc/krb5.keytab'],
  ...['/etc/NetworkManager', '/etc/wireguard', '/etc/openvpn', '/etc/mysql/debian.cnf'],
];

/** Joinery itself: agents are told to type `joinery`. A checkout of it has more beside. */
const ownFiles = ['bin', 'dist', 'src', 'node_modules', 'package.json'].map((name) => join(ownRoot(), name));

/** Where sockets and files of other processes are. Each program gets an empty one of its own. */
const emptied = ['/tmp', '/var/tmp', '/run'];

/** What is needed to find hosts by name. */
const resolver = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager/resolv.conf'];

/** Variables that lead to sockets and services of the person. */
const leadsOut =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_\w+|XDG_RUNTIME_DIR|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DOCKER_HOST)$/;

export interface BoxedProgram {
  readonly argv: Argv;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The same program inside bubblewrap: an empty home, only the named folders, no process and no network of the machine. */
export function inBubblewrap({ argv, cwd, env }: BoxedProgram, box: Box): BoxedProgram {
  const home = env.HOME ?? homedir();
  const gradle = join(home, gradleCaches.home);
  const hasGradle = existsSync(gradle) && env[gradleCaches.variable] === undefined;
  const kept = Object.entries(env).filter(([name]) => !leadsOut.test(name));
  return {
    argv: [
      'bwrap',
      ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
      ...(box.network ? [] : ['--unshare-net']),
      ...['--cap-drop', 'ALL'],
      ...mounts(box, env, home),
      ...['--dir', boxMark, '--remount-ro', '/', '--chdir', cwd, '--'],
      ...argv,
    ],
    // bubblewrap changes the folder itself: this one may be hidden.
    cwd: '/',
    env: {
      ...Object.fromEntries(kept),
      ...(hasGradle ? { [gradleCaches.variable]: gradle } : {}),
    },
  };
}

/** In this order, because a later mount covers an earlier one. */
function mounts(box: Box, env: Variables, home: string): string[] {
  const tools = toolFolders(home, env);
  const isShown = (path: string) => system.some((folder) => isWithin(folder, path));
  const own = ownFolders(home, box);
  const hidden = [home, ...own, ...systemLogins, ...box.hidden].filter(
    (path) => isShown(path) && existsSync(path),
  );
  const temporary = [env.TMPDIR, env.XDG_CACHE_HOME].filter((path) => path !== undefined && isAbsolute(path));
  const settings = tools.settings.filter((path) => !holdsLogin(textOf(path)));
  return [
    ...system.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...hidden.flatMap(cover),
    ...[...new Set([...emptied, home, ...(temporary as string[])])].flatMap((path) => ['--tmpfs', path]),
    ...['--symlink', '/run', '/var/run'],
    ...(box.network ? resolver : []).flatMap((path) => ['--ro-bind-try', path, path]),
    ...[...tools.folders, ...settings, join(home, gradleCaches.home), ...programFolders(env, home, own)]
      .filter((path) => !isShown(path) || isWithin(home, path))
      .flatMap(show('--ro-bind')),
    ...ownFiles.flatMap(show('--ro-bind')),
    ...box.readable.flatMap(show('--ro-bind')),
    ...show(box.isTreeWritable ? '--bind' : '--ro-bind')(box.tree),
    ...box.writable.flatMap(show('--bind')),
    ...gitFolders(box.tree).flatMap(show('--ro-bind')),
  ];
}

/** Joinery's own folders and the main checkout: in use by others, whatever folder they are in. */
function ownFolders(home: string, box: Box): string[] {
  const host = { env: process.env, home, platform: process.platform };
  const main = gitFolders(box.tree)
    .filter((path) => basename(path) === '.git')
    .map((path) => dirname(path));
  return [stateRoot(host), cacheDir(host), userConfigDir(host), ...main.filter((path) => path !== box.tree)];
}

/** Folders of PATH outside the system's, with the libraries beside a `bin`. */
function programFolders({ PATH = '' }: Variables, home: string, own: readonly string[]): string[] {
  const runtime = dirname(process.execPath);
  return [...PATH.split(delimiter), runtime].filter(isAbsolute).flatMap((path) => {
    const folder = resolve(path);
    const above = dirname(folder);
    const isPrivate = [home, ...own, '/'].some((kept) => isWithin(above, kept));
    const isTools = basename(folder) === 'bin' && !isPrivate && !isWithin(home, above);
    return isTools || (folder === runtime && !isPrivate) ? [above] : [folder];
  });
}

/** A folder keeps its name and loses its content; a file reads as empty. */
function cover(path: string): string[] {
  return isFolder(path) ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}

/**
 * A link is followed once, here: what a program later makes of it has no effect. What can be written is never reached through a link, which
 * an earlier program may have put there.
 */
function show(how: '--bind' | '--ro-bind'): (path: string) => string[] {
  return (path) => {
    if (!existsSync(path)) return [];
    if (how === '--bind' && lstatSync(path).isSymbolicLink()) return [];
    return [how, realpathSync(path), path];
  };
}

function textOf(path: string): string {
  try {
    return lstatSync(path).size > 1024 * 1024 ? '' : readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
