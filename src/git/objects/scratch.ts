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
 * A bare repository of our own that borrows the user's objects and adds ours beside them. It has no remotes,
 * hooks, drivers or attributes, so nothing configured in the user's repository can run or be written to.
 */
export interface Scratch {
  readonly git: Git;
  readonly dir: string;
  readonly objectsDir: string;
  readonly objectFormat: Repository['objectFormat'];
  readonly own: OwnObjects;
  /** Nobody can use it any more. Its files are gone, or go while this process lives and when a later one starts. */
  remove(): Promise<void>;
}

const runPrefix = 'run-';
const removedPrefix = 'removed-';
/** Merges of many old branches leave tens of thousands of files: a person who presses Ctrl-C does not wait for them. */
const removalPatienceMs = 300;
const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

export interface ScratchOptions {
  /** False: it holds nothing but what is put there, and no object of the user's can pass for another. */
  readonly isBorrowing?: boolean;
  /** Folders of objects of ours that it borrows from as well. */
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
  mkdirSync(join(objectsDir, 'info'), { recursive: true });
  mkdirSync(join(dir, 'refs'), { recursive: true });
  writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(dir, 'config'), configFor(repository));
  const lenders = [...(isBorrowing ? [repository.objectsDir] : []), ...beside];
  if (lenders.length > 0)
    writeFileSync(join(objectsDir, 'info', 'alternates'), `${lenders.map(quotePath).join('\n')}\n`);
  copyShallow(repository, dir);
  return openScratch(dir, repository.objectFormat);
}

/** One that is there already: what others have added to it and not written is not seen. */
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
    // A merge driver that one person has set for all their repositories would give them another union.
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
    // Gone already, or a system that does not rename what is open.
    rmSync(dir, { recursive: true, force: true });
    return;
  }
  await Promise.race([removeBeside(aside), later(removalPatienceMs, undefined, { ref: false })]);
}

/** The thread goes on meanwhile. What cannot be removed now is met by the next check. */
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

/** Quoting as git reads it in `alternates` files and variables: only a quoted path may hold any byte. */
export function quotePath(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}

/**
 * A killed process leaves its folder behind; a later one clears it. Not at once: a process of another container that
 * shares the cache is alive without being visible here.
 */
function removeAbandoned(parent: string): void {
  for (const name of namesIn(parent)) {
    if (name.startsWith(removedPrefix)) void removeBeside(join(parent, name));
    const idleMs = age(join(parent, name));
    const isAbandoned = name.startsWith(runPrefix) && !isAlive(Number(name.split('-')[1])) && idleMs > hourMs;
    if (isAbandoned || idleMs > dayMs) void removeBeside(join(parent, name));
  }
}

/** None where nothing can be listed: what was left behind is no reason to fail. */
function namesIn(parent: string): string[] {
  try {
    return readdirSync(parent);
  } catch {
    return [];
  }
}

/** Of a process on this machine. */
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
