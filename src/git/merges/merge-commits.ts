import type { Git } from '#git/call/git.ts';

/** A commit that merged other work into a branch. */
export interface MergeCommit {
  readonly commit: string;
  /** First the branch before the merge, then what was merged into it. */
  readonly parents: readonly string[];
  /** 2026-11-16 */
  readonly date: string;
  readonly subject: string;
}

/** The newest merges into a branch, and all of its commits along first parents, newest first. */
export async function mergesInto(
  git: Git,
  tip: string,
  last: number,
): Promise<{ merges: MergeCommit[]; line: readonly string[] }> {
  const format = '--format=%H%x00%P%x00%cs%x00%s';
  const text = await git.text(['log', '--first-parent', '--merges', `--max-count=${last}`, format, tip]);
  const merges = text === '' ? [] : text.split('\n').map(readMerge);
  const line = (await git.text(['rev-list', '--first-parent', tip])).split('\n');
  return { merges, line };
}

function readMerge(row: string): MergeCommit {
  const [commit = '', parents = '', date = '', subject = ''] = row.split('\0');
  return { commit, parents: parents.split(' '), date, subject };
}

/** The tree that results when git merges two commits; files with a text conflict contain markers. */
export async function mergedTree(
  git: Git,
  a: string,
  b: string,
): Promise<{ readonly tree: string; readonly isClean: boolean }> {
  const { code, stdout } = await git.run(['merge-tree', '--write-tree', '--no-messages', a, b], {
    accept: [0, 1],
  });
  return { tree: stdout.toString('utf8').split('\n')[0] ?? '', isClean: code === 0 };
}

/** Lines of a file that differ in another tree: [from, to], counted in the first tree; null when the first tree has no such file. */
export async function changedRanges(
  git: Git,
  from: string,
  to: string,
  file: string,
): Promise<readonly (readonly [number, number])[] | null> {
  const text = await git.text(['diff', '--unified=0', '--no-color', '--no-ext-diff', from, to, '--', file]);
  if (/^deleted file mode/m.test(text)) return null;
  return [...text.matchAll(/^@@ -(\d+)(?:,(\d+))? \+/gm)].map(([, start, count]) => {
    const first = Number(start);
    // Added lines count as a change of the line they follow.
    return [first, first + Math.max(1, Number(count ?? 1)) - 1] as const;
  });
}
