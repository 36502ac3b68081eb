import { basename, join, sep } from 'node:path';
import type { Workshop } from '#crew/workshop.ts';
import { readName } from '#git/merges/branches.ts';
import { commitUnsaved } from '#git/worktrees/unsaved-work.ts';
import { removeWorktree } from '#git/worktrees/worktrees.ts';
import { shellWord } from '#lib/shell-word.ts';
import { isJoineryError } from '#schema/errors.ts';

export type KeepPlace = Pick<Workshop, 'git' | 'repository' | 'folders' | 'provisioning'>;

/** What became of a worktree that was to go; null: it is gone, and everything in it was saved already. */
export type LeftWork =
  | { readonly status: 'kept'; readonly what: string }
  /** It is still there: what it has cannot become a commit, or this process stands in it. */
  | { readonly status: 'stays'; readonly what: string };

/** Removes a worktree of a run, after work in it that exists nowhere else was kept. */
export async function clearWorktree(place: KeepPlace, run: string, path: string): Promise<LeftWork | null> {
  if (`${process.cwd()}${sep}`.startsWith(path + sep))
    return { status: 'stays', what: `${path} stays: this process was started in it` };
  const { repository, git, folders, provisioning } = place;
  const refs = [`refs/heads/joinery/${run}/`, `refs/joinery/${run}/`, keptFolder(run)];
  const work = {
    git,
    repository,
    scratch: join(folders.scratch(run), 'keep'),
    except: provisioning.folders,
    savedBelow: refs,
  };
  try {
    const commit = isRoom(path) ? null : await commitUnsaved(work, path);
    const ref = commit && (await keepCommit(git, `${keptFolder(run)}worktrees/${basename(path)}`, commit));
    await removeWorktree(repository, path);
    return ref === null
      ? null
      : { status: 'kept', what: `${path} had work that no branch has: ${bringBack(ref)}` };
  } catch (error) {
    if (!isJoineryError(error) || error.code !== 'unreadable-worktree') throw error;
    return {
      status: 'stays',
      what: `${path} stays, because it has work that cannot be kept: ${error.message}`,
    };
  }
}

/** Refs in it outlive their run. */
export function keptFolder(run: string): string {
  return `refs/joinery/kept/${run}/`;
}

/** Returns the ref: the wanted one, or one with a number if that keeps something else. */
export async function keepCommit(git: Workshop['git'], wanted: string, commit: string): Promise<string> {
  for (let n = 1; ; n++) {
    const ref = n === 1 ? wanted : `${wanted}-${n}`;
    const now = await readName(git, ref);
    if (now === commit) return ref;
    if (now !== null) continue;
    const none = '0'.repeat(commit.length);
    const made = await git.run(['update-ref', ref, commit, none], { accept: [0, 1, 128] });
    if (made.code === 0) return ref;
    if ((await readName(git, ref)) === null) throw git.failure(['update-ref'], made);
  }
}

/** 'it is kept; bring it back: git branch a-kept refs/joinery/kept/…' */
export function bringBack(ref: string): string {
  const name = ref.split('/').at(-1) ?? 'work';
  return `it is kept; bring it back: git branch ${shellWord(`kept-${name}`)} ${shellWord(ref)}`;
}

/** Where gates and criteria ran on a commit: no agent and no person worked there. */
function isRoom(path: string): boolean {
  return /-(criteria|gates|yardstick|base)-[0-9a-f]{12}$/.test(path);
}
