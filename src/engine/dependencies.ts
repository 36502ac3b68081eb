import { spawn } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataOf } from '../model/event.ts';
import type { Provisioning } from '../model/provisioning.ts';
import { EngineError } from './engine-error.ts';

export type DependencyMeans = DataOf<'worktree.ready'>['dependencies'];

/** Puts a project's dependencies into a fresh worktree. Says by what means, so that it can be recorded. */
export async function provideDependencies(
  wanted: Provisioning,
  source: string | null,
  worktree: string,
  env: Readonly<Record<string, string>>,
): Promise<DependencyMeans> {
  if (wanted.install) {
    await install(wanted.install, worktree, env);
    return 'command';
  }
  if (wanted.mode === 'none' || source === null) return 'none';
  let means: DependencyMeans = 'none';
  for (const folder of wanted.folders) {
    const [from, to] = [join(source, folder), join(worktree, folder)];
    if (!existsSync(from) || existsSync(to)) continue;
    means = await provideFolder(wanted.mode, from, to);
  }
  return means;
}

async function provideFolder(mode: Provisioning['mode'], from: string, to: string): Promise<DependencyMeans> {
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
  // Files of a folder at once, folders one after the other: a big tree must not use up all file handles.
  for (const entry of entries) {
    if (entry.isDirectory()) await cloneFolder(...paths(entry.name), mode, used);
  }
}

/** Copy on write where the file system can; else a hard link, which costs nothing; else bytes. */
async function cloneFile(
  source: string,
  target: string,
  mode: Provisioning['mode'],
  used: ReadonlySet<DependencyMeans>,
): Promise<DependencyMeans> {
  const isKnownToFail = used.has('hardlink') || used.has('copy');
  if (mode === 'reflink' || (mode === 'auto' && !isKnownToFail)) {
    const cloned = await copyFile(source, target, constants.COPYFILE_FICLONE_FORCE).then(
      () => true,
      () => false,
    );
    if (cloned) return 'reflink';
  }
  if (mode === 'hardlink' || mode === 'auto') {
    const linked = await link(source, target).then(
      () => true,
      () => false,
    );
    if (linked) return 'hardlink';
  }
  await copyFile(source, target);
  return 'copy';
}

function install(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) =>
      reject(
        new EngineError('install-failed', `${command.join(' ')} ${why}`, {
          exitCode: 5,
          hint: 'run it by hand in a fresh checkout, or change worktree.install in the config',
          cause,
        }),
      );
    // An argument list, never a shell line.
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-2000);
    });
    child.once('error', (cause) => fail('could not be started', cause));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else fail(`ended with ${code}: ${stderr.trim().split('\n').at(-1) ?? ''}`);
    });
  });
}
