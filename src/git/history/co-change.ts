import type { Git } from '#git/call/git.ts';
import { decodePath } from '#git/call/path-bytes.ts';

export interface CoChangeCounts {
  /** By path: how many commits changed it. */
  readonly alone: ReadonlyMap<string, number>;
  /** By `a\0b` with `a < b`: how many commits changed both paths. */
  readonly together: ReadonlyMap<string, number>;
}

/** A commit of more files than this says little about any two of them. */
const mostFiles = 50;

/** Counts how often each path changed, and which paths changed together, in the newest commits of a history. */
export async function countCoChanges(
  git: Git,
  commit: string,
  paths: readonly string[],
  mostCommits = 2000,
): Promise<CoChangeCounts> {
  const asked = new Set(paths);
  const alone = new Map<string, number>();
  const together = new Map<string, number>();
  if (asked.size > 1) {
    const { stdout } = await git.run([
      'log',
      '-z',
      '--no-merges',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '--name-only',
      '--format=%x01',
      `--max-count=${mostCommits}`,
      '--end-of-options',
      commit,
      '--',
    ]);
    for (const files of commitsIn(stdout)) {
      const ours = files.length > mostFiles ? [] : files.filter((path) => asked.has(path)).sort();
      for (const [index, a] of ours.entries()) {
        count(alone, a);
        for (const b of ours.slice(index + 1)) count(together, `${a}\0${b}`);
      }
    }
  }
  return { alone, together };
}

/** With `-z` a commit is `\x01`, NUL, a line end, then its paths, each followed by NUL. */
function commitsIn(output: Buffer): string[][] {
  const commits: string[][] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    const last = end < 0 ? output.length : end;
    const start = output[at] === 10 ? at + 1 : at;
    if (output[start] === 1 && last - start === 1) commits.push([]);
    else if (last > start) commits.at(-1)?.push(decodePath(output.subarray(start, last)));
    at = last + 1;
  }
  return commits;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
