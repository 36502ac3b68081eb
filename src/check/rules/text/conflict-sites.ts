import type { Member } from '#check/members/member.ts';
import type { Place } from '#code/link/problem.ts';
import type { Merge } from '#git/merges/unions.ts';
import { symbolId } from '#schema/identity.ts';
import { conflictsIn, readConflicts } from './conflict-text.ts';

type Conflict = Extract<Merge, { status: 'conflict' }>;

/** A place of a conflict, and the side whose file it is in. */
export interface ConflictSite {
  readonly side: Member;
  readonly place: Place;
}

/** Text by blob id; null when it is absent, binary or too long to compare line by line. */
export type ReadText = (blob: string | undefined) => Promise<string | null>;

const mostLinesEach = 5;

/** The lines of both sides that git cannot merge, by file. Ours is the side that was named first in the merge. */
export async function conflictSites(
  ours: Member,
  theirs: Member,
  { paths }: Conflict,
  blobInUnion: (path: string) => string | undefined,
  read: ReadText,
): Promise<ConflictSite[]> {
  const sites: ConflictSite[] = [];
  for (const path of paths) {
    const parts = readConflicts((await read(blobInUnion(path))) ?? '');
    for (const [side, other, which] of [
      [ours, theirs, 'ours'],
      [theirs, ours, 'theirs'],
    ] as const) {
      const own = pathOn(side, other, path);
      const text = own === undefined ? null : await read(side.tree.git.blob(own));
      if (own === undefined) continue;
      const found = text === null ? [] : conflictsIn(parts, which, text);
      const lines = found.length > 0 ? found : [await firstChange(side, own, text, read)];
      for (const { line, endLine } of lines.slice(0, mostLinesEach))
        sites.push({ side, place: { file: own, line, column: 1, endLine, symbol: symbolId(own, '') } });
    }
  }
  return sites;
}

/** The path of the file on a side: the other one may have renamed it. */
export function pathOn(side: Member, other: Member, path: string): string | undefined {
  if (side.tree.git.entry(path)) return path;
  const [earlier] = [...other.renames].find(([, to]) => to === path) ?? [];
  return earlier !== undefined && side.tree.git.entry(earlier) ? earlier : undefined;
}

/**
 * A file that the other side deleted or moved has no conflicting lines: the first change of this side is shown instead.
 */
async function firstChange(
  side: Member,
  path: string,
  text: string | null,
  read: ReadText,
): Promise<{ line: number; endLine: number }> {
  const change = side.changed.get(path);
  const before = change?.before?.kind === 'file' ? await read(change.before.id) : null;
  if (text === null || before === null) return { line: 1, endLine: 1 };
  const [now, then] = [text.split('\n'), before.split('\n')];
  const at = now.findIndex((line, index) => line !== then[index]);
  const line = at < 0 ? now.length : at + 1;
  return { line, endLine: line };
}
