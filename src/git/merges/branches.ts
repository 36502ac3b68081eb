import type { Git } from '#git/call/git.ts';
import { GitError } from '#git/call/git-error.ts';
import { decodePath } from '#git/call/path-bytes.ts';
import type { VerifiedObjects } from '#git/objects/verified-objects.ts';
import { exitCodes } from '#schema/exit-codes.ts';
import { mergePairs } from './unions.ts';

const identity = 'Joinery <joinery@localhost>';

export interface CommitDraft {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Part of the commit id: the same draft gives the same commit, so writing it twice changes nothing. */
  readonly at: string;
}

/** Written as an object, never through a command line or an editor: a message may contain anything but NUL. */
export async function writeCommit(git: Git, draft: CommitDraft): Promise<string> {
  const stamp = `${identity} ${Math.floor(Date.parse(draft.at) / 1000)} +0000`;
  const headers = [
    `tree ${draft.tree}`,
    ...draft.parents.map((parent) => `parent ${parent}`),
    `author ${stamp}`,
    `committer ${stamp}`,
  ];
  const message = draft.message.replaceAll('\0', '\uFFFD').trimEnd();
  return git.text(['hash-object', '-t', 'commit', '-w', '--no-filters', '--stdin'], {
    input: `${headers.join('\n')}\n\n${message}\n`,
  });
}

export async function readRef(git: Git, ref: string): Promise<string | null> {
  return readName(git, `${ref}^{commit}`);
}

/** The id of the object with this name (`main^{tree}`, `refs/heads/main`); null when there is none. */
export async function readName(git: Git, name: string): Promise<string | null> {
  const result = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', name], {
    accept: [0, 1, 128],
  });
  // Git also accepts `^main` (everything that main does not reach) and prints `^<id>`.
  const [id] = /^[\da-f]{40,64}$/.exec(result.stdout.toString('utf8').trim()) ?? [];
  return result.code === 0 ? (id ?? null) : null;
}

export function treeOf(git: Git, commit: string): Promise<string> {
  return git.text(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]);
}

export async function deleteRefs(git: Git, refs: readonly string[]): Promise<void> {
  if (refs.length === 0) return;
  await git.run(['update-ref', '--no-deref', '--stdin', '-z'], {
    input: refs.map((ref) => `delete ${ref}\0\0`).join(''),
  });
}

export async function listRefs(git: Git, prefix: string): Promise<Map<string, string>> {
  const text = await git.text(['for-each-ref', '--format=%(objectname) %(refname)', prefix]);
  const lines = text === '' ? [] : text.split('\n');
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

export async function isAncestor(git: Git, ancestor: string, commit: string): Promise<boolean> {
  const result = await git.run(['merge-base', '--is-ancestor', ancestor, commit], { accept: [0, 1] });
  return result.code === 0;
}

/** Whether a ref that starts with none of these prefixes contains the commit. A HEAD is not enough: it moves. */
export async function isReachableOutside(
  git: Git,
  commit: string,
  prefixes: readonly string[],
): Promise<boolean> {
  const excluded = prefixes.map((prefix) => `--exclude=${prefix}*`);
  const args = ['rev-list', '--max-count=1', commit, '--not', ...excluded, '--glob=refs/*'];
  return (await git.text(args)) === '';
}

export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
}

/** Compared with the recorded base, so that the answer stays the same after the work was merged somewhere. */
export async function changedFiles(git: Git, base: string, commit: string): Promise<ChangedFile[]> {
  const { stdout } = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--name-status', base, commit]);
  const fields = splitNul(stdout);
  const changes = { A: 'added', D: 'deleted' } as const;
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const letter = fields[at]?.toString('latin1') ?? '';
    files.push({
      path: decodePath(fields[at + 1] ?? Buffer.alloc(0)),
      change: letter === 'A' || letter === 'D' ? changes[letter] : 'modified',
    });
  }
  return files;
}

/** Lines that differ between two trees, by path; binary files are left out. */
export async function changedLines(
  git: Git,
  from: string,
  to: string,
): Promise<Map<string, { added: number; deleted: number }>> {
  const { stdout } = await git.run(['diff-tree', '-r', '-z', '--no-renames', '--numstat', from, to]);
  const lines = new Map<string, { added: number; deleted: number }>();
  for (const field of splitNul(stdout)) {
    const [, added, deleted, start] = /^(\d+)\t(\d+)(\t)/.exec(field.toString('latin1')) ?? [];
    if (added === undefined || deleted === undefined || start === undefined) continue;
    const path = decodePath(field.subarray(added.length + deleted.length + 2));
    lines.set(path, { added: Number(added), deleted: Number(deleted) });
  }
  return lines;
}

function splitNul(bytes: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    fields.push(bytes.subarray(at, end < 0 ? bytes.length : end));
    at = end < 0 ? bytes.length : end + 1;
  }
  return fields;
}

export type Landing =
  | { readonly status: 'landed'; readonly head: string }
  | { readonly status: 'conflict'; readonly head: string; readonly paths: readonly string[] };

/** Merges a commit onto another one and publishes the result in the repository. Idempotent. */
export async function mergeOnto(
  objects: VerifiedObjects,
  head: string,
  commit: string,
  merge: { readonly message: string; readonly at: string },
): Promise<Landing> {
  const { git } = objects;
  const [outcome] = await mergePairs(git, [[head, commit]]);
  if (!outcome || outcome.status === 'failed') {
    throw new GitError('merge-failed', `git could not merge ${commit} onto ${head}: ${outcome?.reason}`, {
      exitCode: exitCodes.environment,
    });
  }
  if (outcome.status === 'conflict') return { status: 'conflict', head, paths: outcome.paths };
  // Merging work that the branch already contains changes nothing; only then check ancestry.
  if (outcome.tree === (await treeOf(git, head)) && (await isAncestor(git, commit, head))) {
    return { status: 'landed', head };
  }
  const merged = await writeCommit(git, { tree: outcome.tree, parents: [head, commit], ...merge });
  await objects.publish(merged, [head, commit]);
  return { status: 'landed', head: merged };
}
