import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '#git/call/git.ts';

/** One side of a changed path: `{ mode: '100644', id: 'e69de2…' }`. */
interface Side {
  readonly mode: string;
  readonly id: string;
}

export interface ChangedPath {
  readonly path: string;
  readonly old: Side | null;
  readonly new: Side | null;
}

/**
 * What a checkout has at a path that differs between two commits. `torn`: less than the new content, cut off while git wrote it, or a file
 * that git removed and did not write again. `foreign`: neither, so a person or a program wrote it.
 */
export type PathState = 'old' | 'new' | 'torn' | 'foreign';

export interface CheckedPath extends ChangedPath {
  readonly state: PathState;
}

/**
 * A file that git would overwrite or remove although no commit has it: git does not protect ignored files, and a `.env` is work too. Paths
 * in `known` were looked at already. Null: nothing is in the way.
 */
export function inTheWay(
  root: string,
  paths: readonly ChangedPath[],
  known: ReadonlySet<string> = new Set(),
): string | null {
  const removed = new Set(paths.filter((each) => each.new === null).map(({ path }) => path));
  for (const { path, old, new: side } of paths) {
    if (side === null || known.has(path) || (old !== null && old.mode !== submodule)) continue;
    const found = firstNonFolder(root, path);
    if (found === null || removed.has(found)) continue;
    const below = side.mode === submodule ? [] : filesBelow(root, found);
    const lost = below.find((file) => !removed.has(file));
    if (lost !== undefined) return named(lost);
  }
  return null;
}

/** The first part of a path that is no folder, or the path itself; null when it does not exist. */
function firstNonFolder(root: string, path: string): string | null {
  const parts = path.split('/');
  for (let n = 1; n <= parts.length; n++) {
    const part = parts.slice(0, n).join('/');
    const stat = lstatSync(fileAt(root, part), { throwIfNoEntry: false });
    if (!stat) return null;
    if (n === parts.length || !stat.isDirectory()) return part;
  }
  return null;
}

function filesBelow(root: string, path: string): string[] {
  if (!lstatSync(fileAt(root, path)).isDirectory()) return [path];
  return readdirSync(fileAt(root, path), { encoding: 'buffer' }).flatMap((name) =>
    filesBelow(root, `${path}/${name.toString('latin1')}`),
  );
}

function named(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** `git` runs in the checkout. `scratch` names files that may be written and are removed by the caller. */
export async function checkPaths(
  git: Git,
  root: string,
  { from, to }: { readonly from: string; readonly to: string },
  scratch: string,
): Promise<CheckedPath[]> {
  const paths = await changedPaths(git, from, to);
  const isOld = await matching(git, root, paths, 'old', `${scratch}-old`);
  const isNew = await matching(git, root, paths, 'new', `${scratch}-new`);
  const checked: CheckedPath[] = [];
  for (const each of paths) {
    const state: PathState = isNew(each)
      ? 'new'
      : isOld(each)
        ? 'old'
        : (await isTorn(git, root, each))
          ? 'torn'
          : 'foreign';
    checked.push({ ...each, state });
  }
  return checked;
}

export async function changedPaths(git: Git, from: string, to: string): Promise<ChangedPath[]> {
  const { stdout } = await git.run(['diff-tree', '-r', '-z', '--no-renames', from, to]);
  const words = stdout.toString('latin1').split('\0');
  const paths: ChangedPath[] = [];
  for (let n = 0; n + 1 < words.length; n += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (words[n] ?? '').slice(1).split(' ');
    paths.push({
      path: words[n + 1] ?? '',
      old: oldMode === '000000' ? null : { mode: oldMode, id: oldId },
      new: newMode === '000000' ? null : { mode: newMode, id: newId },
    });
  }
  return paths;
}

/** Git does not move the files of a submodule with its commit. */
const submodule = '160000';

/** Asks git, with an index of only these paths, so that line endings and filters are as in the user's checkout. */
async function matching(
  git: Git,
  root: string,
  paths: readonly ChangedPath[],
  side: 'old' | 'new',
  index: string,
): Promise<(path: ChangedPath) => boolean> {
  const env = { GIT_INDEX_FILE: index };
  const present = paths.flatMap(({ path, [side]: entry }) => (entry ? [{ path, entry }] : []));
  await git.run(['update-index', '-z', '--index-info'], { env, input: indexInfo(present) });
  await git.run(['update-index', '-q', '--refresh'], { env, accept: [0, 1] });
  const { stdout } = await git.run(['diff-files', '-z', '--name-only', '--no-ext-diff'], { env });
  const others = new Set(stdout.toString('latin1').split('\0'));
  return ({ path, [side]: entry }) => {
    if (entry === null) return isAbsent(root, path);
    return entry.mode === submodule || !others.has(path);
  };
}

/** The form of `update-index --index-info`; without an entry the path leaves the index. */
export function indexInfo(paths: readonly { readonly path: string; readonly entry: Side | null }[]): Buffer {
  const none = '0'.repeat(paths.find(({ entry }) => entry)?.entry?.id.length ?? 40);
  const lines = paths.map(({ path, entry }) => `${entry?.mode ?? 0} ${entry?.id ?? none}\t${path}\0`);
  return Buffer.from(lines.join(''), 'latin1');
}

function isAbsent(root: string, path: string): boolean {
  try {
    lstatSync(fileAt(root, path));
    return false;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

async function isTorn(git: Git, root: string, { path, new: side }: ChangedPath): Promise<boolean> {
  if (isAbsent(root, path)) return true;
  const stat = lstatSync(fileAt(root, path));
  if (side === null || !side.mode.startsWith('100') || !stat.isFile()) return false;
  const whole = await git.run(['cat-file', '--filters', `--path=${named(path)}`, side.id], {
    accept: [0, 128],
  });
  const here = readFileSync(fileAt(root, path));
  return (
    whole.code === 0 &&
    here.length < whole.stdout.length &&
    whole.stdout.subarray(0, here.length).equals(here)
  );
}

/** Paths are bytes, held as latin1. */
export function fileAt(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(join(root, '/')), Buffer.from(path, 'latin1')]);
}
