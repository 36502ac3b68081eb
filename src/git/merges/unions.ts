import type { Git } from '#git/call/git.ts';
import { decodePath } from '#git/call/path-bytes.ts';
import type { Scratch } from '#git/objects/scratch.ts';

/** The outcome of merging two commits without a checkout. */
export type Merge =
  | { readonly status: 'clean'; readonly tree: string }
  /** `tree` holds conflict markers in `paths`; everything else in it is merged. */
  | {
      readonly status: 'conflict';
      readonly tree: string;
      readonly paths: readonly string[];
      readonly messages: readonly string[];
    }
  | { readonly status: 'failed'; readonly reason: string };

/** A line that git writes where both sides changed a text; not one that underlines a short title, as in `Install` of a README. */
export const conflictMarker = /^(?:<{7} |>{7} |\|{7} )|(?<!^[\w\x80-\uffff][^\n]{2,13}\n)^={7}\r?$/m;

/** Git exited before it reached the pair. */
export const noAnswer: Merge = { status: 'failed', reason: 'no answer from git' };

/**
 * Merges each pair, in one start of git if possible. Git aborts at a pair that it cannot merge and may lose answers to earlier pairs:
 * smaller and smaller batches are sent again until that pair is alone. It is then `failed`.
 */
export async function mergePairs(git: Git, pairs: readonly (readonly [string, string])[]): Promise<Merge[]> {
  const merges: Merge[] = [];
  for (let size = pairs.length; merges.length < pairs.length; ) {
    const sent = pairs.slice(merges.length, merges.length + size);
    const { code, stdout, stderr } = await git.run(
      ['merge-tree', '--write-tree', '--allow-unrelated-histories', '--messages', '-z', '--stdin'],
      {
        input: `${sent.map(([left, right]) => `${left} ${right}`).join('\n')}\n`,
        accept: [0, 1, 128],
      },
    );
    const answered = parseMerges(stdout).slice(0, sent.length);
    merges.push(...answered);
    const unanswered = sent.length - answered.length;
    if (unanswered === 1)
      merges.push({
        status: 'failed',
        reason: stderr.split('\n')[0] || `git merge-tree ended with ${code}`,
      });
    size = unanswered > 1 ? Math.ceil(unanswered / 2) : pairs.length;
  }
  return merges;
}

/**
 * Each answer: `1|0`, tree, conflicted entries, an empty field, messages (count, paths…, type, text), an empty field. Where a submodule
 * conflicts, git prints advice for people in that last field.
 */
function parseMerges(output: Buffer): Merge[] {
  const merges: Merge[] = [];
  let at = 0;
  const field = (): Buffer | null => {
    const end = output.indexOf(0, at);
    if (end < 0) return null;
    const value = output.subarray(at, end);
    at = end + 1;
    return value;
  };
  for (;;) {
    const flag = field();
    const tree = field();
    if (!flag || !tree) return merges;
    const paths = new Set<string>();
    for (let entry = field(); ; entry = field()) {
      if (entry === null) return merges;
      if (entry.length === 0) break;
      paths.add(decodePath(entry.subarray(entry.indexOf(9) + 1)));
    }
    const messages: string[] = [];
    for (let count = field(); ; count = field()) {
      if (count === null) return merges;
      if (!/^\d+$/.test(count.toString('latin1'))) break;
      for (let skip = Number(count.toString('latin1')); skip > 0; skip--) field();
      const type = field()?.toString('utf8') ?? '';
      const text = field();
      if (text === null) return merges;
      if (type.startsWith('CONFLICT')) messages.push(text.toString('utf8').trim());
    }
    const treeId = tree.toString('latin1');
    merges.push(
      flag.toString('latin1') === '1'
        ? { status: 'clean', tree: treeId }
        : { status: 'conflict', tree: treeId, paths: [...paths].sort(), messages },
    );
  }
}

/** Wraps a tree into a commit with fixed author and date, so that the same tree on the same parents has the same id. */
export function commitTree(scratch: Scratch, tree: string, parents: readonly string[]): string {
  const identity = 'Joinery <joinery@localhost> 0 +0000';
  const ancestry = parents.map((parent) => `parent ${parent}\n`).join('');
  const text = `tree ${tree}\n${ancestry}author ${identity}\ncommitter ${identity}\n\nunion\n`;
  return scratch.own.add('commit', Buffer.from(text));
}
