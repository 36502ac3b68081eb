import type { Git } from '#git/call/git.ts';
import type { Repository } from '#git/call/repository.ts';
import { defaultBranch } from '#git/refs/refs.ts';
import type { ChangedRanges } from '#handoff/audit/verify-claims.ts';

/** What was changed, or why that is unknown. */
export type DiffReading =
  | { readonly status: 'checked'; readonly detail: string; readonly changed: ChangedRanges }
  | { readonly status: 'skipped'; readonly detail: string };

/** Lines the checkout adds to the base, including uncommitted work. */
export async function readDiff(
  repository: Repository | null,
  base: string | undefined,
): Promise<DiffReading> {
  if (!repository) return skipped('this is no git repository');
  const { git, workTree } = repository;
  if (workTree === null) return skipped('the repository has no checkout');
  const head = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { accept: [0, 1, 128] });
  if (head.code !== 0) return skipped('nothing was committed yet');
  const named = base ?? (await defaultBranch(repository).catch(() => 'HEAD'));
  const found = await git.run(['merge-base', '--end-of-options', named, 'HEAD'], { accept: [0, 1, 128] });
  if (found.code !== 0) return skipped(`${named} and HEAD have no common history`);
  const from = found.stdout.toString('utf8').trim();
  const top = ['-C', workTree];
  const diff = await git.text([...top, ...plainDiff, from]);
  const others = await git.text([...top, 'ls-files', '--others', '--exclude-standard', '-z']);
  const changed = rangesIn(diff);
  for (const path of others.split('\0')) if (path !== '') changed.set(path, 'all');
  if (changed.size === 0) return skipped(`nothing differs from ${named}`);
  return { status: 'checked', detail: `${changed.size} files differ from ${named}`, changed };
}

const plainDiff = [
  '-c',
  'core.quotePath=false',
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--unified=0',
  '--no-renames',
];

/** Lines that one commit adds to another. */
export async function rangesBetween(git: Git, from: string, to: string): Promise<ChangedRanges> {
  return rangesIn(await git.text([...plainDiff, from, to]));
}

function skipped(detail: string): DiffReading {
  return { status: 'skipped', detail };
}

function rangesIn(diff: string): Map<string, 'all' | (readonly [number, number])[]> {
  const ranges = new Map<string, 'all' | (readonly [number, number])[]>();
  let file: (readonly [number, number])[] = [];
  for (const line of diff.split('\n')) {
    const name = /^\+\+\+ b\/(?<path>.*)$/.exec(line)?.groups?.path;
    if (name !== undefined) {
      file = [];
      ranges.set(name.replace(/\t$/, ''), file);
    }
    const { start, count = '1' } = /^@@ -\S+ \+(?<start>\d+)(?:,(?<count>\d+))? @@/.exec(line)?.groups ?? {};
    // A hunk that only removes lines touches the lines before and after it.
    if (start !== undefined) file.push([Number(start), Number(start) + Math.max(Number(count), 2) - 1]);
  }
  return ranges;
}
