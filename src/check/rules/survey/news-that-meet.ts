import { posix } from 'node:path';
import type { Change } from '#git/trees/tree.ts';
import type { ChangedText } from './changed-text.ts';
import { kindsThatMeet } from './kinds-that-meet.ts';
import type { NewsReader } from './read-news.ts';
import type { FileNews } from './readings.ts';

/**
 * The news of base that can meet a branch. Base may have changed hundreds of files since the branch forked, and most of their news meet
 * nothing. The invariant: no rule finds anything else than with all news of base.
 */
export async function newsThatMeet(
  reader: NewsReader,
  ofBase: readonly Change[],
  own: ReadonlyMap<string, FileNews>,
): Promise<ReadonlyMap<string, FileNews>> {
  const kinds = kindsThatMeet(own.values());
  const functions = new Set(
    [...own.values()].flatMap(({ code }) => code?.changed.map(({ name }) => name) ?? []),
  );
  const paths = new Set([...own.keys()].flatMap((path) => [path, posix.dirname(path)]));
  const canMeetTests = ({ path, before }: ChangedText) =>
    paths.has(path) ||
    (path.endsWith('.go') && paths.has(posix.dirname(path))) ||
    posix.basename(path) === 'conftest.py' ||
    [...functions].some((name) => before.includes(name));
  const first = await reader.read(ofBase, kinds, (kind, file) => kind !== 'tests' || canMeetTests(file));
  const isDropped = [...first.values()].some(({ tests }) =>
    tests?.gone.some(({ uses }) => uses.some(({ name }) => functions.has(name))),
  );
  // A dropped test may have moved to any other file.
  return isDropped ? reader.read(ofBase, kinds) : first;
}
