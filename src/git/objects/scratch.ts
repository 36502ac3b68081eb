import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { devNull } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { OwnObjects } from './own-objects.ts';

/**
 * A bare repository of Joinery's that borrows the user's objects and stores its own beside them. It has no remotes, hooks, drivers or
 * attributes, so nothing configured in the user's repository can run or be written to.
 */
export interface Scratch {
  readonly git: Git;
  readonly dir: string;
  readonly objectsDir: string;
  readonly objectFormat: Repository['objectFormat'];
  readonly own: OwnObjects;
  /** The scratch is unusable afterwards. Its files are removed now, in the background, or by a later process. */
  remove(): Promise<void>;
}

const runPrefix = 'run-';
const removedPrefix = 'removed-';
/** Merging many old branches leaves tens of thousands of files: a person who presses Ctrl-C must not wait for them. */
const removalPatienceMs = 300;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

export interface ScratchOptions {
  /** False: it contains only what is added to it, so no replaced object of the user's repository can get in. */
  readonly isBorrowing?: boolean;
  /** More object folders of Joinery to borrow from. */
  readonly beside?: readonly string[];
}

export async function createScratch(
  repository: Repository,
  parent: string,
  { isBorrowing = true, beside = [] }: ScratchOptions = {},
): Promise<Scratch> {
  removeAbandoned(parent);
  const dir = join(
    parent,
    `${runPrefix}${process.pid}-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`,
  );
  const objectsDir = join(dir, 'objects');
  mkdirSync(join(objectsDir, 'info'), { recursive: true, mode: 0o700 });
  mkdirSync(join(dir, 'refs'), { recursive: true });
  writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(dir, 'config'), configFor(repository));
  const lenders = [...(isBorrowing ? [repository.objectsDir] : []), ...beside];
  if (lenders.length > 0)
    writeFileSync(join(objectsDir, 'info', 'alternates'), `${lenders.map(quotePath).join('\n')}\n`);
  copyShallow(repository, dir);
  return openScratch(dir, repository.objectFormat);
}

/** Opens an existing one. Objects that other processes have added but not written are not visible. */
export function openScratch(dir: string, objectFormat: Repository['objectFormat']): Scratch {
  const objectsDir = join(dir, 'objects');
  const own = new OwnObjects(objectsDir, objectFormat);
  const git = new Git({
    prepare: (name) => own.write(name),
    env: {
      GIT_DIR: dir,
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_SYSTEM: devNull,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
    },
    // A merge driver that one person has configured globally would give that person a different union.
    config: [['core.attributesFile', devNull]],
  });
  return {
    git,
    dir,
    objectsDir,
    objectFormat,
    own,
    remove: () => putAway(dir),
  };
}

async function putAway(dir: string): Promise<void> {
  const aside = join(dirname(dir), `${removedPrefix}${basename(dir)}`);
  try {
    renameSync(dir, aside);
  } catch {
    // The folder is already gone, or the system cannot rename a folder with open files.
    rmSync(dir, { recursive: true, force: true });
    return;
  }
  await Promise.race([removeBeside(aside), later(removalPatienceMs, undefined, { ref: false })]);
}

/** Runs in the background. The next check removes what could not be removed now. */
async function removeBeside(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}

export function configFor({ objectFormat }: Pick<Repository, 'objectFormat'>): string {
  const sha256 = objectFormat === 'sha256';
  const extensions = sha256 ? '[extensions]\n\tobjectformat = sha256\n' : '';
  return `[core]\n\trepositoryformatversion = ${sha256 ? 1 : 0}\n\tbare = true\n${extensions}`;
}

function copyShallow(repository: Repository, dir: string): void {
  const source = join(repository.commonDir, 'shallow');
  if (existsSync(source)) copyFileSync(source, join(dir, 'shallow'));
}

/** Quotes a path for `alternates` files and variables: only a quoted path may contain any byte. */
export function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}

/**
 * Removes folders that killed processes left behind, but only old ones: a process of another container that shares the cache is alive
 * although its pid is not visible here.
 */
function removeAbandoned(parent: string): void {
  for (const name of namesIn(parent)) {
    if (name.startsWith(removedPrefix)) void removeBeside(join(parent, name));
    const idleMs = age(join(parent, name));
    const isAbandoned = name.startsWith(runPrefix) && !isAlive(Number(name.split('-')[1])) && idleMs > hourMs;
    if (isAbandoned || idleMs > dayMs) void removeBeside(join(parent, name));
  }
}

/** Empty when the folder cannot be listed: leftovers are no reason to fail. */
function namesIn(parent: string): string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}

/** Whether a process on this machine is alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function age(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
