import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { withholding } from '#process/allowed-environment.ts';
import { lend, workBox } from '#process/box.ts';
import { startGuarded } from '#process/start-guarded.ts';
import { EnvironmentError } from '#schema/errors.ts';
import type { DataOf } from '#schema/event.ts';
import type { Provisioning } from '#schema/provisioning.ts';

type DependencyMeans = DataOf<'worktree.ready'>['dependencies'];

export interface Provided {
  /** For the record. */
  readonly means: DependencyMeans;
  /** The wanted folders that we created; only these are removed again. */
  readonly folders: readonly string[];
}

/** Puts a project's dependencies into a fresh worktree. */
export async function provideDependencies(
  wanted: Provisioning,
  source: string | null,
  worktree: string,
  env: Readonly<Record<string, string>>,
): Promise<Provided> {
  if (wanted.install) {
    await runInstall(wanted.install, worktree, env);
    return {
      means: 'command',
      folders: wanted.folders.filter((folder) => existsSync(join(worktree, folder))),
    };
  }
  if (wanted.mode === 'none' || source === null) return { means: 'none', folders: [] };
  let means: DependencyMeans = 'none';
  const folders: string[] = [];
  for (const folder of wanted.folders) {
    const [from, to] = [join(source, folder), join(worktree, folder)];
    if (!existsSync(from) || existsSync(to)) continue;
    if (wanted.mode === 'symlink') lend(worktree, from);
    means = await provideFolder(wanted.mode, from, to);
    folders.push(folder);
  }
  return { means, folders };
}

export async function provideFolder(
  mode: Provisioning['mode'],
  from: string,
  to: string,
): Promise<DependencyMeans> {
  if (mode === 'symlink') {
    await symlink(from, to, 'dir');
    return 'symlink';
  }
  const used = new Set<DependencyMeans>();
  await cloneFolder(from, to, mode, used);
  return (['copy', 'hardlink', 'reflink'] as const).find((means) => used.has(means)) ?? 'none';
}

async function cloneFolder(
  from: string,
  to: string,
  mode: Provisioning['mode'],
  used: Set<DependencyMeans>,
): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  const paths = (name: string) => [join(from, name), join(to, name)] as const;
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = paths(entry.name);
      if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
      else if (entry.isFile()) used.add(await cloneFile(source, target, mode, used));
    }),
  );
  // Files of a folder in parallel, folders one after the other: a big tree must not use up all file handles.
  for (const entry of entries) {
    if (entry.isDirectory()) await cloneFolder(...paths(entry.name), mode, used);
  }
}

/** Copy on write if the file system supports it, otherwise a copy. Hard links, which share writes, only if configured. */
async function cloneFile(
  source: string,
  target: string,
  mode: Provisioning['mode'],
  used: ReadonlySet<DependencyMeans>,
): Promise<DependencyMeans> {
  if (mode === 'reflink' || (mode === 'auto' && !used.has('copy'))) {
    const cloned = await copyFile(source, target, constants.COPYFILE_FICLONE_FORCE).then(
      () => true,
      () => false,
    );
    if (cloned) return 'reflink';
  }
  if (mode === 'hardlink') {
    const linked = await link(source, target).then(
      () => true,
      () => false,
    );
    if (linked) return 'hardlink';
  }
  await copyFile(source, target);
  return 'copy';
}

/** Guarded: an install that survives our death would write into the worktree of the next attempt. */
export async function runInstall(
  [program = '', ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  // An argument list, never a shell line.
  const installing = startGuarded({
    argv: [program, ...args],
    cwd,
    env,
    mark: env.JOINERY_ATTEMPT ?? 'install',
    // It downloads; scripts of packages see no login.
    box: workBox(cwd, env, { network: true }),
  });
  let errors = '';
  installing.stdout.resume();
  installing.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000);
  });
  const end = await installing.ended;
  if (end.how === 'exited' && end.code === 0) return;
  const hide = withholding(process.env, env);
  const why =
    end.how === 'not-started'
      ? `could not be started: ${end.reason}`
      : `ended with ${end.code ?? end.signal}: ${hide(errors).trim().split('\n').at(-1) ?? ''}`;
  throw new EnvironmentError({
    code: 'install-failed',
    message: `${[program, ...args].join(' ')} ${why}`,
    hint: 'run it by hand in a fresh checkout, or change worktree.install in the config',
  });
}
